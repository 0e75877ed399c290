// The visitor's games, in this browser's storage. Python has them all in its hands and says what changes.

const PREFIX = "knyf:games/";

/** All that is kept: key → text. */
export function keptGames() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    return Object.fromEntries(keys.map((key) => [key.slice(PREFIX.length), localStorage.getItem(key)]));
  } catch {
    return {}; // storage is forbidden
  }
}

/** Write a game down, or take it away if there is no text. Answers whether that was possible. */
export function keepGame(key, text) {
  try {
    if (text === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
    return true;
  } catch {
    return false; // full or forbidden: the game goes on, and the page says that it is not kept
  }
}
