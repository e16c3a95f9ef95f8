/**
 * A file's comments in two tabs, over a line that loses, doubles, swaps and delays, with answers that are lost and tabs that close: at
 * every moment nothing that was written is lost or doubled, and in the end both show what the service has. Each world is told by its number.
 */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import type { CommentChange, NewComment } from "../../api/comments.ts";
import type { LiveHandlers } from "../../api/live.ts";
import type { Session } from "../../../contract/access-records.ts";
import { threadsOf, type Thread } from "../../views/review/comments/model/threads.ts";
import { randomFrom, type Random } from "../live/line.fixture.ts";
import { liveOf } from "../live/live-of.ts";
import { outboxOf } from "../outbox/outbox-of.ts";
import { keptTogether } from "../outbox/outbox.fixture.ts";
import { livesInTabs, slow } from "../outbox/tabs.fixture.ts";
import { projectQueries } from "../projects/options.ts";
import { queryClient } from "../query-client.ts";
import { sessionQueries } from "../session/options.ts";
import { commentKeys } from "./keys.ts";
import type { FileComments } from "./list.ts";
import { commentQueries } from "./options.ts";
import { putComment } from "./put.ts";
import { createCommentService, FILE, ME, type CommentService } from "./service.fixture.ts";

const WORLDS = 24;
const STEPS = 50;

const around = vi.hoisted(() => ({}) as { service: CommentService; kept: ReturnType<typeof keptTogether>; ids: number });
vi.mock("../../api/comments.ts", () => ({
  listComments: (_file: number, after?: number, { signal }: { signal?: AbortSignal } = {}) => around.service.page(after, signal),
  writeComment: (_file: number, comment: NewComment) => around.service.take(comment),
  updateComment: (id: number, { resolved }: CommentChange) => around.service.resolve(id, resolved === true),
}));
vi.mock("../../api/live.ts", () => ({ openLive: (handlers: LiveHandlers) => around.service.open(handlers) }));
vi.mock("../../api/projects.ts", () => ({ listProjects: async () => [] }));
vi.mock("../../lib/random-id.ts", () => ({ randomId: () => `id-${(around.ids += 1)}` }));
vi.mock("../outbox/outbox-store.ts", () => ({
  outboxStore: (_service: string, accountId: number) => slow(around.kept.page().storeOf(accountId)),
  leased: (_name: string, _holder: string, run: () => Promise<void>) => around.kept.page().alone(ME, run),
}));

livesInTabs();

/** One tab with the file's page open; `faults` are the promises that it has broken. */
function openTab(service: CommentService) {
  const client = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() });
  client.setQueryData(sessionQueries.current().queryKey, { account: { id: ME } } as Session);
  client.setQueryData(projectQueries.all().queryKey, []);
  const live = liveOf(client);
  const wish = () => commentQueries.file(FILE, 1, live.state().phase === "live");
  const observer = new QueryObserver(client, wish());
  const ends = [observer.subscribe(() => undefined), live.onChange(() => observer.setOptions(wish()))];
  const outbox = outboxOf(client);
  live.follow("project:1");
  live.start();
  void outbox.belongTo(ME);

  const list = () => client.getQueryData<FileComments>(commentKeys.file(FILE));
  const shown = (): Thread[] => threadsOf(list()?.comments.filter(({ deleted }) => !deleted) ?? [], outbox.entries());
  const faults = new Set<string>();
  /** Client ids of what was written here and not given up. */
  const written = new Set<string>();
  function look(): void {
    const loaded = list();
    if (!loaded) return;
    const keys = shown().map(({ key }) => key);
    if (new Set(keys).size < keys.length) faults.add(`doubled: ${keys.find((key, index) => keys.indexOf(key) !== index)}`);
    const here = new Set([...outbox.entries().map(({ clientId }) => clientId), ...loaded.comments.flatMap(({ client_id }) => client_id ?? [])]);
    for (const clientId of written) {
      const stored = service.comments().find(({ client_id }) => client_id === clientId);
      if (!here.has(clientId) && !service.onceDeleted.has(stored?.id ?? 0)) faults.add(`lost: ${clientId}${stored ? ` #${stored.id}` : ""}`);
    }
  }
  ends.push(client.getQueryCache().subscribe(look), outbox.onChange(look));
  return {
    client,
    outbox,
    shown,
    faults,
    forget: (clientId: string) => written.delete(clientId),
    isLoaded: () => list() !== undefined,
    reload: () => observer.refetch(),
    write(body: string, at: number) {
      const comment = { fileId: FILE, version: 1, at, end: null, parentId: null };
      written.add(outbox.add({ projectId: 1, accountId: ME, body, quote: null, uploads: [], comment }).clientId);
    },
    close() {
      live.stop();
      for (const end of ends) end();
      client.clear();
    },
  };
}
let tabs: ReturnType<typeof openTab>[] = [];

function doSomething(random: Random, service: CommentService, count: number): void {
  const tab = tabs[random(tabs.length)]!;
  const failed = tab.outbox.entries().filter(({ state }) => state === "failed");
  const lot = random(24);
  if (lot < 3) service.write();
  else if (lot < 5) service.edit();
  else if (lot < 6) service.remove();
  else if (lot < 7) service.restore();
  else if (lot < 14) tab.write(`mine ${count}${random(6) === 0 ? " refused" : ""}`, random(60_000));
  else if (lot < 16) {
    const target = tab.shown().find(({ comment }) => comment !== null && comment.resolved_at === null)?.comment;
    if (target)
      void import("../../api/comments.ts")
        .then((api) => api.updateComment(target.id, { resolved: true }))
        .then(
          (one) => putComment(tab.client, one),
          () => undefined,
        );
  } else if (lot === 16) service.cut();
  else if (lot === 17) service.line.up = !service.line.up;
  else if (lot === 18) service.line.live = !service.line.live;
  else if (lot === 19) void tab.client.invalidateQueries({ queryKey: commentKeys.all });
  else if (failed.length > 0) {
    const { clientId } = failed[0]!;
    if (random(3) > 0) return tab.outbox.retry(clientId);
    for (const one of tabs) one.forget(clientId);
    tab.outbox.discard(clientId);
  } else tab.outbox.wake();
}

const soon = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test.each(Array.from({ length: WORLDS }, (_, index) => index + 1))("world %i", async (seed) => {
  const random = randomFrom(seed);
  vi.spyOn(Math, "random").mockImplementation(() => random(1_000) / 1_000);
  const service = createCommentService(random, 11);
  Object.assign(around, { service, kept: keptTogether(), ids: 0 });
  let refusing = true;
  service.line.refuses = (body) => refusing && body.endsWith("refused");
  tabs = [openTab(service), openTab(service)];
  await soon(300);
  for (let step = 0; step < STEPS; step += 1) {
    doSomething(random, service, step);
    await soon(5 + random(random(8) === 0 ? 3_000 : 80));
  }

  // The line is whole again, and the channel begins anew.
  Object.assign(service.line, { up: true, live: true, faults: false });
  refusing = false;
  service.cut();
  await soon(60_000);
  for (const { clientId } of tabs[0]!.outbox.entries()) {
    tabs[0]!.outbox.retry(clientId);
    await soon(10);
  }
  await soon(60_000);
  // Its very first load may have failed: then the page says so and offers to try again.
  for (const tab of tabs) if (!tab.isLoaded()) await Promise.all([tab.reload(), soon(1_000)]);

  const truth = threadsOf(
    service.comments().filter(({ deleted }) => !deleted),
    [],
  );
  const plain = ({ comment, entry }: Thread) => (comment ? `#${comment.id}@${comment.revision} ${comment.body}` : `waiting ${entry?.body}`);
  for (const [index, tab] of tabs.entries()) {
    expect([...tab.faults], `tab ${index}`).toEqual([]);
    expect(tab.shown().map(plain), `tab ${index}`).toEqual(truth.map(plain));
    expect(tab.outbox.entries(), `tab ${index}`).toEqual([]);
    tab.close();
  }
  // Each once.
  const mine = service.comments().flatMap(({ client_id, account_id }) => (client_id && account_id === ME ? client_id : []));
  expect(new Set(mine).size).toBe(mine.length);
  expect(mine.length).toBeGreaterThan(0);
});
