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

/** Longer than a page that can open a path takes to answer; a browser lets a click open windows for some seconds. */
const ANSWER_MS = 500;

/** Asks an open window to show a path. Resolves to false if it does not answer, because it shows the API reference, say, or nobody is signed in. */
function askToOpen(client, path) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ANSWER_MS);
    port1.addEventListener("message", () => resolve(true));
    port1.start();
    client.postMessage({ type: "open-path", path }, [port2]);
  });
}

/** Shows the page in an open window, which navigates by itself and so keeps its unsent text, else in a new one. */
async function openPage(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((client) => client.url === url.href) ?? windows.find((client) => client.visibilityState === "visible") ?? windows[0];
  if (!shown || !(await askToOpen(shown, url.pathname + url.search + url.hash))) return self.clients.openWindow(url.href);
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
