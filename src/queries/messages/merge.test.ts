/**
 * Pages, live events and the outbox of two tabs together, over a line that loses, doubles, swaps and delays: at every moment
 * nothing is lost, doubled or out of order, and in the end both show what the service has. Each world is told by its number.
 */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import type { LiveHandlers } from "../../api/live.ts";
import type { HistoryPlace, NewMessage } from "../../api/messages.ts";
import type { Session } from "../../../contract/access-records.ts";
import type { Project } from "../../../contract/records.ts";
import { buildRows, type Row } from "../../views/chat/model/rows.ts";
import { randomFrom, type Random } from "../live/line.fixture.ts";
import { liveOf } from "../live/live-of.ts";
import { outboxOf } from "../outbox/outbox-of.ts";
import { keptTogether } from "../outbox/outbox.fixture.ts";
import { livesInTabs, slow } from "../outbox/tabs.fixture.ts";
import { projectQueries } from "../projects/options.ts";
import { queryClient } from "../query-client.ts";
import { sessionQueries } from "../session/options.ts";
import { patchHistories } from "./cache.ts";
import { trimHistory, type Anchor } from "./history.ts";
import { messageKeys } from "./keys.ts";
import { messageQueries } from "./options.ts";
import { addNewer, addOlder } from "./paging.ts";
import { createService, ME, type FakeService } from "./service.fixture.ts";

const WORLDS = 24;
const STEPS = 70;
const BEFORE = 130;
/** Rows that a tab may hold before its far end is cut. */
const WINDOW = 90;

const project = { id: 1, team_id: 1, group_id: null, name: "EP", description: "", root_folder_id: null, created_at: "", role: "member", unread_count: 0 };
const around = vi.hoisted(() => ({}) as { service: FakeService; kept: ReturnType<typeof keptTogether>; ids: number });
vi.mock("../../api/messages.ts", () => ({
  chatHistory: (place: HistoryPlace, { signal }: { signal?: AbortSignal } = {}) => around.service.page(place, signal),
  sendMessage: (message: NewMessage) => around.service.take(message),
}));
vi.mock("../../api/live.ts", () => ({ openLive: (handlers: LiveHandlers) => around.service.open(handlers) }));
vi.mock("../../api/projects.ts", () => ({ listProjects: async () => [project] }));
vi.mock("../../lib/random-id.ts", () => ({ randomId: () => `id-${(around.ids += 1)}` }));
vi.mock("../outbox/outbox-store.ts", () => ({
  outboxStore: (_service: string, accountId: number) => slow(around.kept.page().storeOf(accountId)),
  leased: (_name: string, _holder: string, run: () => Promise<void>) => around.kept.page().alone(ME, run),
}));

livesInTabs();

/** One tab with one stretch open; `faults` are the promises that it has broken. */
function openTab(anchor: Anchor, service: FakeService) {
  const client = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() });
  client.setQueryData(sessionQueries.current().queryKey, { account: { id: ME } } as Session);
  client.setQueryData(projectQueries.all().queryKey, [project as Project]);
  const observer = new QueryObserver(client, messageQueries.history(1, anchor));
  const stop = observer.subscribe(() => undefined);
  const outbox = outboxOf(client);
  const subscriber = liveOf(client);
  subscriber.follow("project:1", { fromPage: true });
  subscriber.start();
  void outbox.belongTo(ME);

  const history = () => client.getQueryData(messageQueries.history(1, anchor).queryKey);
  const rows = (): Row[] => {
    const loaded = history();
    return loaded ? buildRows({ ...loaded, entries: outbox.entries(), unreadAfter: null, accountId: ME }) : [];
  };
  const faults = new Set<string>();
  /** Client ids of what was written here and not thrown away. */
  const written = new Set<string>();

  let looked: ReturnType<typeof history>;
  function look(): void {
    const loaded = history();
    looked = loaded;
    if (!loaded) return;
    const shown = rows().filter(({ kind }) => kind !== "day");
    const keys = shown.map(({ key }) => key);
    if (new Set(keys).size < keys.length) faults.add(`doubled: ${keys.find((key, index) => keys.indexOf(key) !== index)}`);
    const ids = shown.flatMap((row) => ("message" in row ? row.message.id : []));
    if (ids.some((id, index) => index > 0 && ids[index - 1]! >= id)) faults.add(`out of order: ${ids.join()}`);
    const waiting = shown.flatMap((row, index) => (row.kind === "pending" && row.entry.state !== "failed" ? { order: row.entry.order, index } : []));
    if (waiting.some(({ order }, index) => index > 0 && waiting[index - 1]!.order >= order)) faults.add("what waits is out of order");
    const lastMessage = shown.findLastIndex((row) => "message" in row);
    if (waiting.some(({ index }) => index < lastMessage)) faults.add("what waits stands above a message");

    const here = new Set([...outbox.entries().map(({ clientId }) => clientId), ...loaded.messages.flatMap(({ client_id }) => client_id ?? [])]);
    const first = loaded.messages[0]?.id ?? 0;
    const last = loaded.messages.at(-1)?.id ?? 0;
    for (const clientId of written) {
      if (here.has(clientId)) continue;
      const stored = service.stored(clientId);
      const outside = stored && ((loaded.hasMoreBefore && stored.id < first) || (loaded.hasMoreAfter && stored.id > last));
      if (!outside && !service.onceDeleted.has(stored?.id ?? 0)) faults.add(`lost: ${clientId}${stored ? ` #${stored.id} of ${first} to ${last}` : ""}`);
    }
  }
  // The cache also tells of queries that are under way, with the same messages as before.
  const endLook = [client.getQueryCache().subscribe(() => history() !== looked && look()), outbox.onChange(look)];
  return {
    client,
    outbox,
    history,
    rows,
    faults,
    write: (body: string) => written.add(outbox.add({ projectId: 1, accountId: ME, body, quote: null, uploads: [] }).clientId),
    discard(clientId: string) {
      for (const tab of tabs) tab.forget(clientId);
      outbox.discard(clientId);
    },
    forget: (clientId: string) => written.delete(clientId),
    older: () => void addOlder(client, 1, anchor).catch(() => undefined),
    newer: () => (history()?.hasMoreAfter ? void addNewer(client, 1, anchor).catch(() => undefined) : undefined),
    cut: (keep: "newest" | "oldest") => patchHistories(client, 1, (loaded) => trimHistory(loaded, keep, WINDOW)),
    restart: () => void client.resetQueries({ queryKey: messageKeys.history(1, anchor), exact: true }),
    reload: () => observer.refetch(),
    close() {
      subscriber.stop();
      stop();
      for (const end of endLook) end();
      client.clear();
    },
  };
}
type Tab = ReturnType<typeof openTab>;
let tabs: Tab[] = [];

function doSomething(random: Random, service: FakeService, written: string[]): void {
  const tab = tabs[random(tabs.length)]!;
  const failed = tab.outbox.entries().filter(({ state }) => state === "failed");
  const lot = random(32);
  if (lot < 6) service.write();
  else if (lot < 9) service.edit();
  else if (lot < 11) service.remove();
  else if (lot < 12) service.restore();
  else if (lot < 19) {
    written.push(`mine ${written.length}${random(6) === 0 ? " refused" : ""}`);
    tab.write(written.at(-1)!);
  } else if (lot < 22) tab.older();
  else if (lot < 24) tab.newer();
  else if (lot === 24) tab.cut(random(2) === 0 ? "newest" : "oldest");
  else if (lot === 25) tab.restart();
  else if (lot === 26) service.cut();
  else if (lot === 27) service.line.up = !service.line.up;
  else if (lot === 28) service.line.live = !service.line.live;
  else if (lot === 29) service.load();
  else if (failed.length > 0) {
    if (random(3) === 0) tab.discard(failed[0]!.clientId);
    else tab.outbox.retry(failed[0]!.clientId);
  } else tab.outbox.wake();
}

const soon = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function lived(seed: number) {
  const random = randomFrom(seed);
  vi.spyOn(Math, "random").mockImplementation(() => random(1_000) / 1_000);
  const service = createService(random, BEFORE);
  Object.assign(around, { service, kept: keptTogether(), ids: 0 });
  let refusing = true;
  service.line.refuses = (body) => refusing && body.endsWith("refused");
  tabs = [openTab("latest", service), openTab(`around:${service.messages()[40]!.id}`, service)];
  const written: string[] = [];
  await soon(300);
  for (let step = 0; step < STEPS; step += 1) {
    doSomething(random, service, written);
    await soon(5 + random(random(8) === 0 ? 3_000 : 80));
  }

  // The line is whole again, the channel begins anew, and both tabs load everything there is.
  Object.assign(service.line, { up: true, live: true, faults: false });
  refusing = false;
  service.cut();
  await soon(60_000);
  for (const entry of tabs[0]!.outbox.entries()) {
    tabs[0]!.outbox.retry(entry.clientId);
    await soon(10);
  }
  await soon(60_000);
  for (const tab of tabs) {
    if (!tab.history()) await Promise.all([tab.reload(), soon(1_000)]);
    for (let more = 0; more < 40 && (tab.history()?.hasMoreAfter || tab.history()?.hasMoreBefore); more += 1) {
      if (tab.history()?.hasMoreAfter) tab.newer();
      else tab.older();
      await soon(100);
    }
  }
  await soon(1_000);
  return { service, written };
}

test.each(Array.from({ length: WORLDS }, (_, index) => index + 1))("world %i", async (seed) => {
  const { service, written } = await lived(seed);
  const truth = service.messages().filter(({ deleted }) => !deleted);
  for (const [index, tab] of tabs.entries()) {
    expect([...tab.faults], `tab ${index}`).toEqual([]);
    const shown = tab.rows().flatMap((row) => (row.kind === "message" ? row.message : row.kind === "pending" ? row.entry.body : []));
    const plain = (one: (typeof shown)[number]) => (typeof one === "string" ? one : `#${one.id}@${one.revision} ${one.body} > ${one.parent?.excerpt ?? ""}`);
    expect(shown.map(plain), `tab ${index}`).toEqual(truth.map(plain));
    expect(tab.outbox.entries()).toEqual([]);
  }
  // Each once; what was never refused in the order of writing.
  const mine = service.messages().flatMap(({ client_id, account_id }) => (client_id && account_id === ME ? client_id : []));
  expect(new Set(mine).size).toBe(mine.length);
  expect(mine.length).toBeLessThanOrEqual(written.length);
  for (const tab of tabs) tab.close();
});
