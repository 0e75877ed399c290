// In the single file the worker is a classic one, which Pyodide refuses. It knows it by this name. To be imported first.

globalThis.importScripts = undefined;
