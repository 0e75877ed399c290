// The service worker of the page: installed behind the first view; an update waits until the visitor wants it.

export async function registerServiceWorker(config) {
  if (!config.serviceWorker || !("serviceWorker" in navigator)) return;
  try {
    localStorage.length; // where storage is forbidden this throws, and a browser need not complain in the console
    const registration = await navigator.serviceWorker.register(config.serviceWorker, { updateViaCache: "none" });
    registration.addEventListener("updatefound", () => offer(registration));
    offer(registration);
  } catch (error) {
    console.info(`knyf: not available offline (${error.message})`); // forbidden here, or storage is full
  }
}

/** An update is offered when it has arrived whole, and taken only on a click: it never interrupts a game. */
function offer(registration) {
  const coming = registration.installing ?? registration.waiting;
  if (!coming || !navigator.serviceWorker.controller) return;
  const show = () => {
    if (coming.state !== "installed") return;
    const bar = document.getElementById("kp-update");
    bar.hidden = false;
    bar.querySelector("button").onclick = () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      coming.postMessage("take over");
    };
  };
  coming.addEventListener("statechange", show);
  show();
}
