import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { startLiveUpdates } from "./live-updates.ts";

/** The listeners of the page and its document, by event type. */
const listeners = new Map<string, () => void>();

beforeAll(() => {
  const page = { addEventListener: (type: string, listener: () => void) => listeners.set(type, listener), removeEventListener: () => undefined };
  vi.stubGlobal("BroadcastChannel", vi.fn());
  vi.stubGlobal("document", { visibilityState: "visible", ...page });
  vi.stubGlobal("addEventListener", page.addEventListener);
  vi.stubGlobal("removeEventListener", page.removeEventListener);
});
afterAll(() => vi.unstubAllGlobals());

/** Creates a client whose live channel does not start. */
function createIdleClient(token?: string) {
  const client = createClient(token === undefined ? {} : { baseUrl: "https://other.test", token });
  vi.spyOn(client.live, "start").mockReturnValue();
  vi.spyOn(client.uploads, "switchAccount").mockResolvedValue();
  return client;
}

test("a page that is online or visible again does not send a refused token again", () => {
  const client = createIdleClient("first");
  vi.spyOn(client.outbox, "switchAccount").mockResolvedValue();
  const wake = vi.spyOn(client.live, "wake").mockReturnValue();
  onTestFinished(startLiveUpdates(client, { accountId: 1, organisationId: 1 }));
  client.api.isTokenRefused.set(true);
  for (const type of ["online", "visibilitychange"]) listeners.get(type)!();
  expect(wake).not.toHaveBeenCalled();
  client.api.setToken("second");
  for (const type of ["online", "visibilitychange"]) listeners.get(type)!();
  expect(wake).toHaveBeenCalledTimes(2);
});

test("stored messages that load after a sign-out do not reconcile the uploads of the next account", async () => {
  const client = createIdleClient();
  const reconcile = vi.spyOn(client.uploads, "reconcile").mockReturnValue();
  const loads: (() => void)[] = [];
  vi.spyOn(client.outbox, "switchAccount").mockImplementation(() => new Promise((resolve) => loads.push(resolve)));
  startLiveUpdates(client, { accountId: 1, organisationId: 1 })();
  onTestFinished(startLiveUpdates(client, { accountId: 2, organisationId: 1 }));
  loads[0]!();
  await new Promise((resolve) => setTimeout(resolve));
  expect(reconcile).not.toHaveBeenCalled();
  loads[1]!();
  await vi.waitFor(() => expect(reconcile).toHaveBeenCalledOnce());
});

test("without the code that applies events no socket opens, and messages are polled", async () => {
  vi.doMock("./apply-events.ts", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  onTestFinished(() => vi.doUnmock("./apply-events.ts"));
  const WebSocket = vi.fn();
  vi.stubGlobal("WebSocket", WebSocket);
  const { live } = createClient();
  onTestFinished(() => live.stop());
  live.start();
  await vi.waitFor(() => expect(["polling", "offline"]).toContain(live.get().phase), { timeout: 5_000 });
  expect(WebSocket).not.toHaveBeenCalled();
});
