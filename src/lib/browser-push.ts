/** The browser's side of push messages: what it can do, its permission, its service worker and its subscription. */

const WORKER = "/push-worker.js";

/** `home-screen`: an iPhone or iPad can only if the page was added to the Home Screen. `insecure`: only pages on https can. */
export type PushSupport = "supported" | "home-screen" | "insecure" | "unsupported";

export interface PushAddress {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

const isOnAppleTouchDevice = (): boolean => /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export function getPushSupport(): PushSupport {
  if (!window.isSecureContext) return "insecure";
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return "supported";
  return isOnAppleTouchDevice() ? "home-screen" : "unsupported";
}

export const getPushPermission = (): NotificationPermission => ("Notification" in window ? Notification.permission : "denied");

/** Asks the person, who may have decided before. Call it in response to a click. */
export const requestPushPermission = async (): Promise<NotificationPermission> => Notification.requestPermission();

const findRegistration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  getPushSupport() === "supported" ? navigator.serviceWorker.getRegistration("/") : undefined;

function toAddress(subscription: PushSubscription): PushAddress {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" } };
}

/** Returns how services reach this browser; null if they cannot. */
export async function findPushAddress(): Promise<PushAddress | null> {
  if (getPushPermission() !== "granted") return null;
  const subscription = await (await findRegistration())?.pushManager.getSubscription();
  return subscription ? toAddress(subscription) : null;
}

function isKeyOf({ options }: PushSubscription, publicKey: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  return text === publicKey;
}

/** Subscribes this browser for the service with this key (base64url). */
export async function subscribeToPush(publicKey: string): Promise<PushAddress> {
  await navigator.serviceWorker.register(WORKER, { scope: "/", updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const existing = await pushManager.getSubscription();
  if (existing && isKeyOf(existing, publicKey)) return toAddress(existing);
  // A subscription belongs to one key: the service may have got another.
  await existing?.unsubscribe();
  return toAddress(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
}

/** Ends the subscription and removes the service worker, which has nothing else to do. */
export async function unsubscribeFromPush(): Promise<void> {
  const registration = await findRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await registration?.unregister();
}

/** Calls `onOpen` with the path of each notification that is clicked while this page is open. Returns a function that stops it. */
export function onNotificationOpened(onOpen: (path: string) => void): () => void {
  if (getPushSupport() !== "supported") return () => {};
  const listen = ({ data, ports }: MessageEvent<{ type?: unknown; path?: unknown } | null>): void => {
    if (data?.type !== "open-path" || typeof data.path !== "string") return;
    // Without this answer the service worker opens a window.
    ports[0]?.postMessage("opened");
    onOpen(data.path);
  };
  navigator.serviceWorker.addEventListener("message", listen);
  return () => navigator.serviceWorker.removeEventListener("message", listen);
}
