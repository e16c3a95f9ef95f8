// Shows push messages and opens their pages. It does nothing else: it stores nothing and handles no requests of the page.
const DEFAULT_CONTENT = { title: "Talkback", body: "You have a new notification.", path: "/notifications", tag: "notifications" };

/** Returns what to show; browsers demand a notification for every message, also for one that cannot be read. */
function parseContent(data) {
  try {
    return { ...DEFAULT_CONTENT, ...data.json() };
  } catch {
    return DEFAULT_CONTENT;
  }
}

/** Returns the address of a path of this site; the start page instead of an address elsewhere. */
function toUrl(path) {
  const url = new URL(typeof path === "string" ? path : "/", self.location.origin);
  return url.origin === self.location.origin ? url : new URL("/", self.location.origin);
}

/** Shows the page in an open window, which navigates by itself and so keeps its unsent text, else in a new one. */
async function openPage(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((client) => client.url === url.href) ?? windows.find((client) => client.visibilityState === "visible") ?? windows[0];
  if (!shown) return self.clients.openWindow(url.href);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of this worker has the worker's origin
  shown.postMessage({ type: "open-path", path: url.pathname + url.search + url.hash });
  return shown.focus();
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("push", (event) => {
  const { title, body, path, tag } = parseContent(event.data);
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: "/icon-192.png", data: { path } }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(toUrl(event.notification.data?.path)));
});
