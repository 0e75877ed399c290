// The first view of each page, as HTML that needs no Python.

/** Show the first view of a page in the place of the one that is there. */
export async function showFirstView(page, place) {
  if (place.dataset.page === page) return;
  const view = (await firstView(page)).cloneNode(true);
  place.replaceChildren(...view.childNodes);
  place.dataset.page = page;
}

/** In the single file they are all there; the site has them in their own pages. */
async function firstView(page) {
  const here = document.getElementById(`kp-view-${page}`);
  if (here) return here.content;
  const response = await fetch(`${page}.html`);
  if (!response.ok) throw new Error(`${page}.html: ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html").getElementById("kp-first");
}
