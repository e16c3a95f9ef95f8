/**
 * Tests pages, live events and the outbox of two tabs together, over a network that drops, duplicates, reorders and delays: at every moment
 * nothing is lost, duplicated or out of order, and in the end both tabs show what the service has. The seed identifies each run.
 */
import { QueryObserver } from "@tanstack/react-query";
import { beforeAll, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import type { Session } from "../../../contract/access-records.ts";
import type { Project } from "../../../contract/records.ts";
import { chatHistory, sendMessage } from "../../../contract/operations/chat.ts";
import { listProjects } from "../../../contract/operations/projects.ts";
import type { Api } from "../../api/http.ts";
import type { LiveHandlers } from "../../api/live.ts";
import { stubOperation, stubOperations } from "../../api/operations.fixture.ts";
import { trimHistory, type WindowStart } from "../../queries/messages/history.ts";
import { messageKeys, patchHistories } from "../../queries/messages/cache-updates.ts";
import { loadPage, messageQueries } from "../../queries/messages/use-message-history.ts";
import { projectQueries } from "../../queries/projects.ts";
import { sessionQueries } from "../../queries/session.ts";
import { buildRows, type Row } from "../../views/chat/timeline/rows.ts";
import { createSharedStorage } from "../outbox/outbox.fixture.ts";
import { setUpTabs, withLatency } from "../outbox/tabs.fixture.ts";
import { createFakeService, ME, type FakeService } from "./message-service.fixture.ts";
import { createRandom, type Random } from "./unreliable-network.fixture.ts";

// The clients load it while the time of a test is simulated, so it must be there at once.
beforeAll(() => import("./apply-events.ts"));

const RUNS = 24;
const STEPS = 70;
const INITIAL_MESSAGE_COUNT = 130;
/** Rows that a tab may hold before its far end is trimmed. */
const WINDOW = 90;

const project = { id: 1, team_id: 1, group_id: null, name: "EP", description: "", root_folder_id: null, created_at: "", role: "member", unread_count: 0 };
const mocks = vi.hoisted(() => ({}) as { service: FakeService; storage: ReturnType<typeof createSharedStorage>; ids: number });
vi.mock("../../api/live.ts", () => ({ openLiveSocket: (_api: Api, handlers: LiveHandlers) => mocks.service.open(handlers) }));
vi.mock("../../lib/random-id.ts", () => ({ randomId: () => `id-${(mocks.ids += 1)}` }));
vi.mock("../outbox/outbox-store.ts", () => ({
  createOutboxDatabase: () => ({ openStore: (_service: string, accountId: number) => withLatency(mocks.storage.page().openStore(accountId)) }),
}));
vi.mock("../../lib/locks.ts", () => ({
  createTabLocks: () => ({
    acquire: async () => () => undefined,
    run: (_name: string, run: () => Promise<void>) => mocks.storage.page().runExclusive(ME, run),
  }),
}));

setUpTabs();

/** Opens a tab with one window; `violations` lists the violated invariants. */
function openTab(windowStart: WindowStart, service: FakeService) {
  const client = createClient();
  stubOperations(client.api, [
    stubOperation(chatHistory, ({ body }, { signal }) => service.page(body, signal ?? undefined)),
    stubOperation(sendMessage, async ({ body }) => ({ data: await service.create(body) })),
    stubOperation(listProjects, async () => ({ data: [project], next_cursor: null })),
  ]);
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { account: { id: ME } } as Session);
  client.queryClient.setQueryData(projectQueries.all().queryKey, [project as Project]);
  const observer = new QueryObserver(client.queryClient, messageQueries.history(1, windowStart));
  const stop = observer.subscribe(() => undefined);
  const outbox = client.outbox;
  const subscriber = client.live;
  subscriber.follow("project:1", { waitForPage: true });
  subscriber.start();
  void outbox.switchAccount(ME);

  const history = () => client.queryClient.getQueryData(messageQueries.history(1, windowStart).queryKey);
  const rows = (): Row[] => {
    const loaded = history();
    return loaded ? buildRows({ ...loaded, entries: outbox.entries(), unreadAfter: null, accountId: ME }) : [];
  };
  const violations = new Set<string>();
  /** Client ids of messages written here and not discarded. */
  const writtenIds = new Set<string>();

  let lastChecked: ReturnType<typeof history>;
  function checkInvariants(): void {
    const loaded = history();
    lastChecked = loaded;
    if (!loaded) return;
    const shown = rows().filter(({ kind }) => kind !== "day");
    const keys = shown.map(({ key }) => key);
    if (new Set(keys).size < keys.length) violations.add(`doubled: ${keys.find((key, index) => keys.indexOf(key) !== index)}`);
    const ids = shown.flatMap((row) => ("message" in row ? row.message.id : []));
    if (ids.some((id, index) => index > 0 && ids[index - 1]! >= id)) violations.add(`out of order: ${ids.join()}`);
    const waitingRows = shown.flatMap((row, index) => (row.kind === "pending" && row.entry.state !== "failed" ? { order: row.entry.order, index } : []));
    if (waitingRows.some(({ order }, index) => index > 0 && waitingRows[index - 1]!.order >= order)) violations.add("pending rows are out of order");
    const lastMessage = shown.findLastIndex((row) => "message" in row);
    if (waitingRows.some(({ index }) => index < lastMessage)) violations.add("a pending row is above a message");

    const presentIds = new Set([...outbox.entries().map(({ clientId }) => clientId), ...loaded.messages.flatMap(({ client_id }) => client_id ?? [])]);
    const first = loaded.messages[0]?.id ?? 0;
    const last = loaded.messages.at(-1)?.id ?? 0;
    for (const clientId of writtenIds) {
      if (presentIds.has(clientId)) continue;
      const stored = service.findByClientId(clientId);
      const outside = stored && ((loaded.hasMoreBefore && stored.id < first) || (loaded.hasMoreAfter && stored.id > last));
      if (!outside && !service.onceDeleted.has(stored?.id ?? 0)) violations.add(`lost: ${clientId}${stored ? ` #${stored.id} of ${first} to ${last}` : ""}`);
    }
  }
  // The cache also notifies of queries in flight, with unchanged messages.
  const unsubscribes = [client.queryClient.getQueryCache().subscribe(() => history() !== lastChecked && checkInvariants()), outbox.onChange(checkInvariants)];
  return {
    client,
    outbox,
    history,
    rows,
    violations,
    write: (body: string) => writtenIds.add(outbox.add({ projectId: 1, accountId: ME, body, quote: null, uploads: [] }).clientId),
    discard(clientId: string) {
      for (const tab of tabs) tab.forget(clientId);
      outbox.discard(clientId);
    },
    forget: (clientId: string) => writtenIds.delete(clientId),
    older() {
      const firstId = history()?.messages[0]?.id;
      if (firstId !== undefined) void loadPage(client, 1, windowStart, "older", firstId).catch(() => undefined);
    },
    newer() {
      const lastId = history()?.hasMoreAfter ? history()?.messages.at(-1)?.id : undefined;
      if (lastId !== undefined) void loadPage(client, 1, windowStart, "newer", lastId).catch(() => undefined);
    },
    cut: (keep: "newest" | "oldest") => patchHistories(client, 1, (loaded) => trimHistory(loaded, keep, WINDOW)),
    restart: () => void client.queryClient.resetQueries({ queryKey: messageKeys.history(1, windowStart), exact: true }),
    reload: () => observer.refetch(),
    close() {
      subscriber.stop();
      stop();
      for (const unsubscribe of unsubscribes) unsubscribe();
      client.queryClient.clear();
    },
  };
}
type Tab = ReturnType<typeof openTab>;
let tabs: Tab[] = [];

function performRandomAction(random: Random, service: FakeService, written: string[]): void {
  const tab = tabs[random(tabs.length)]!;
  const failed = tab.outbox.entries().filter(({ state }) => state === "failed");
  const roll = random(32);
  if (roll < 6) service.write();
  else if (roll < 9) service.edit();
  else if (roll < 11) service.remove();
  else if (roll < 12) service.restore();
  else if (roll < 19) {
    written.push(`mine ${written.length}${random(6) === 0 ? " refused" : ""}`);
    tab.write(written.at(-1)!);
  } else if (roll < 22) tab.older();
  else if (roll < 24) tab.newer();
  else if (roll === 24) tab.cut(random(2) === 0 ? "newest" : "oldest");
  else if (roll === 25) tab.restart();
  else if (roll === 26) service.cut();
  else if (roll === 27) service.network.isUp = !service.network.isUp;
  else if (roll === 28) service.network.isLiveUp = !service.network.isLiveUp;
  else if (roll === 29) service.importMessages();
  else if (failed.length > 0) {
    if (random(3) === 0) tab.discard(failed[0]!.clientId);
    else tab.outbox.retry(failed[0]!.clientId);
  } else tab.outbox.wake();
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function simulate(seed: number) {
  const random = createRandom(seed);
  vi.spyOn(Math, "random").mockImplementation(() => random(1_000) / 1_000);
  const service = createFakeService(random, INITIAL_MESSAGE_COUNT);
  Object.assign(mocks, { service, storage: createSharedStorage(), ids: 0 });
  let isRejecting = true;
  service.network.rejects = (body) => isRejecting && body.endsWith("refused");
  tabs = [openTab("latest", service), openTab(`around:${service.messages()[40]!.id}`, service)];
  const written: string[] = [];
  await advance(300);
  for (let step = 0; step < STEPS; step += 1) {
    performRandomAction(random, service, written);
    await advance(5 + random(random(8) === 0 ? 3_000 : 80));
  }

  // The network works again, the live channel starts over, and both tabs load everything there is.
  Object.assign(service.network, { isUp: true, isLiveUp: true, faultsEnabled: false });
  isRejecting = false;
  service.cut();
  await advance(60_000);
  for (const entry of tabs[0]!.outbox.entries()) {
    tabs[0]!.outbox.retry(entry.clientId);
    await advance(10);
  }
  await advance(60_000);
  for (const tab of tabs) {
    if (!tab.history()) await Promise.all([tab.reload(), advance(1_000)]);
    for (let more = 0; more < 40 && (tab.history()?.hasMoreAfter || tab.history()?.hasMoreBefore); more += 1) {
      if (tab.history()?.hasMoreAfter) tab.newer();
      else tab.older();
      await advance(100);
    }
  }
  await advance(1_000);
  return { service, written };
}

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
  "seed %i: no message is lost or duplicated, and both tabs end with the service's messages",
  async (seed) => {
    const { service, written } = await simulate(seed);
    const expected = service.messages().filter(({ deleted }) => !deleted);
    for (const [index, tab] of tabs.entries()) {
      expect([...tab.violations], `tab ${index}`).toEqual([]);
      const shown = tab.rows().flatMap((row) => (row.kind === "message" ? row.message : row.kind === "pending" ? row.entry.body : []));
      const summarize = (item: (typeof shown)[number]) =>
        typeof item === "string" ? item : `#${item.id}@${item.revision} ${item.body} > ${item.parent?.excerpt ?? ""}`;
      expect(shown.map(summarize), `tab ${index}`).toEqual(expected.map(summarize));
      expect(tab.outbox.entries()).toEqual([]);
    }
    // Every message exists once.
    const ownClientIds = service.messages().flatMap(({ client_id, account_id }) => (client_id && account_id === ME ? client_id : []));
    expect(new Set(ownClientIds).size).toBe(ownClientIds.length);
    expect(ownClientIds.length).toBeLessThanOrEqual(written.length);
    for (const tab of tabs) tab.close();
  },
);
