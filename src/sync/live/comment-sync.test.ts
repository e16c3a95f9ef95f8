/**
 * Tests a file's comments in two tabs over a network that drops, duplicates, reorders and delays, with lost responses and tabs that close: at
 * every moment no written comment is lost or duplicated, and in the end both tabs show what the service has. The seed identifies each run.
 */
import { QueryObserver } from "@tanstack/react-query";
import { beforeAll, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import type { Session } from "../../../contract/access-records.ts";
import { listComments, updateComment, writeComment } from "../../../contract/operations/comments.ts";
import { listProjects } from "../../../contract/operations/projects.ts";
import type { Api } from "../../api/http.ts";
import type { LiveHandlers } from "../../api/live.ts";
import { stubOperation, stubOperations } from "../../api/operations.fixture.ts";
import { upsertComment } from "../../queries/comments/cache-updates.ts";
import { commentKeys, type FileComments } from "../../queries/comments/comment-list.ts";
import { commentQueries } from "../../queries/comments/use-comments.ts";
import { projectQueries } from "../../queries/projects.ts";
import { sessionQueries } from "../../queries/session.ts";
import { buildThreads, type Thread } from "../../views/review/comments/threads.ts";
import { createSharedStorage } from "../outbox/outbox.fixture.ts";
import { setUpTabs, withLatency } from "../outbox/tabs.fixture.ts";
import { createCommentService, FILE_ID, ME, type CommentService } from "./comment-service.fixture.ts";
import { createRandom, type Random } from "./unreliable-network.fixture.ts";

// The clients load it while the time of a test is simulated, so it must be there at once.
beforeAll(() => import("./apply-events.ts"));

const RUNS = 24;
const STEPS = 50;

const mocks = vi.hoisted(() => ({}) as { service: CommentService; storage: ReturnType<typeof createSharedStorage>; ids: number });
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

/** Opens a tab with the file's page; `violations` lists the violated invariants. */
function openTab(service: CommentService) {
  const client = createClient();
  stubOperations(client.api, [
    stubOperation(listComments, ({ query }, { signal }) =>
      service.page(query?.after_id === undefined ? undefined : Number(query.after_id), signal ?? undefined),
    ),
    stubOperation(writeComment, async ({ body }) => ({ data: await service.create(body) })),
    stubOperation(updateComment, async ({ params, body }) => ({ data: await service.resolve(Number(params.comment_id), body.resolved === true) })),
    stubOperation(listProjects, async () => ({ data: [], next_cursor: null })),
  ]);
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { account: { id: ME } } as Session);
  client.queryClient.setQueryData(projectQueries.all().queryKey, []);
  const subscriber = client.live;
  const currentOptions = () => commentQueries.file(FILE_ID, 1, subscriber.get().phase === "live");
  const observer = new QueryObserver(client.queryClient, currentOptions());
  const unsubscribes = [observer.subscribe(() => undefined), subscriber.subscribe(() => observer.setOptions(currentOptions()))];
  const outbox = client.outbox;
  subscriber.follow("project:1");
  subscriber.start();
  void outbox.switchAccount(ME);

  const list = () => client.queryClient.getQueryData<FileComments>(commentKeys.file(FILE_ID));
  const shown = (): Thread[] => buildThreads(list()?.comments.filter(({ deleted }) => !deleted) ?? [], outbox.entries());
  const violations = new Set<string>();
  /** Client ids of comments written here and not discarded. */
  const writtenIds = new Set<string>();
  function checkInvariants(): void {
    const loaded = list();
    if (!loaded) return;
    const keys = shown().map(({ key }) => key);
    if (new Set(keys).size < keys.length) violations.add(`doubled: ${keys.find((key, index) => keys.indexOf(key) !== index)}`);
    const presentIds = new Set([...outbox.entries().map(({ clientId }) => clientId), ...loaded.comments.flatMap(({ client_id }) => client_id ?? [])]);
    for (const clientId of writtenIds) {
      const stored = service.comments().find(({ client_id }) => client_id === clientId);
      if (!presentIds.has(clientId) && !service.onceDeleted.has(stored?.id ?? 0)) violations.add(`lost: ${clientId}${stored ? ` #${stored.id}` : ""}`);
    }
  }
  unsubscribes.push(client.queryClient.getQueryCache().subscribe(checkInvariants), outbox.onChange(checkInvariants));
  return {
    client,
    outbox,
    shown,
    violations,
    forget: (clientId: string) => writtenIds.delete(clientId),
    isLoaded: () => list() !== undefined,
    reload: () => observer.refetch(),
    write(body: string, at: number) {
      const comment = { fileId: FILE_ID, version: 1, at, end: null, parentId: null };
      writtenIds.add(outbox.add({ projectId: 1, accountId: ME, body, quote: null, uploads: [], comment }).clientId);
    },
    close() {
      subscriber.stop();
      for (const unsubscribe of unsubscribes) unsubscribe();
      client.queryClient.clear();
    },
  };
}
let tabs: ReturnType<typeof openTab>[] = [];

function performRandomAction(random: Random, service: CommentService, count: number): void {
  const tab = tabs[random(tabs.length)]!;
  const failed = tab.outbox.entries().filter(({ state }) => state === "failed");
  const roll = random(24);
  if (roll < 3) service.write();
  else if (roll < 5) service.edit();
  else if (roll < 6) service.remove();
  else if (roll < 7) service.restore();
  else if (roll < 14) tab.write(`mine ${count}${random(6) === 0 ? " refused" : ""}`, random(60_000));
  else if (roll < 16) {
    const target = tab.shown().find(({ comment }) => comment !== null && comment.resolved_at === null)?.comment;
    if (target)
      tab.client.api.data(updateComment, { params: { comment_id: target.id }, body: { resolved: true } }).then(
        (comment) => upsertComment(tab.client, comment),
        () => undefined,
      );
  } else if (roll === 16) service.cut();
  else if (roll === 17) service.network.isUp = !service.network.isUp;
  else if (roll === 18) service.network.isLiveUp = !service.network.isLiveUp;
  else if (roll === 19) void tab.client.queryClient.invalidateQueries({ queryKey: commentKeys.all });
  else if (failed.length > 0) {
    const { clientId } = failed[0]!;
    if (random(3) > 0) return tab.outbox.retry(clientId);
    for (const other of tabs) other.forget(clientId);
    tab.outbox.discard(clientId);
  } else tab.outbox.wake();
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
  "seed %i: no comment is lost or duplicated, and both tabs end with the service's comments",
  async (seed) => {
    const random = createRandom(seed);
    vi.spyOn(Math, "random").mockImplementation(() => random(1_000) / 1_000);
    const service = createCommentService(random, 11);
    Object.assign(mocks, { service, storage: createSharedStorage(), ids: 0 });
    let isRejecting = true;
    service.network.rejects = (body) => isRejecting && body.endsWith("refused");
    tabs = [openTab(service), openTab(service)];
    await advance(300);
    for (let step = 0; step < STEPS; step += 1) {
      performRandomAction(random, service, step);
      await advance(5 + random(random(8) === 0 ? 3_000 : 80));
    }

    // The network works again, and the live channel starts over.
    Object.assign(service.network, { isUp: true, isLiveUp: true, faultsEnabled: false });
    isRejecting = false;
    service.cut();
    await advance(60_000);
    for (const { clientId } of tabs[0]!.outbox.entries()) {
      tabs[0]!.outbox.retry(clientId);
      await advance(10);
    }
    await advance(60_000);
    // The first load may have failed; the page then shows the error and offers a retry.
    for (const tab of tabs) if (!tab.isLoaded()) await Promise.all([tab.reload(), advance(1_000)]);

    const expected = buildThreads(
      service.comments().filter(({ deleted }) => !deleted),
      [],
    );
    const summarize = ({ comment, entry }: Thread) => (comment ? `#${comment.id}@${comment.revision} ${comment.body}` : `waiting ${entry?.body}`);
    for (const [index, tab] of tabs.entries()) {
      expect([...tab.violations], `tab ${index}`).toEqual([]);
      expect(tab.shown().map(summarize), `tab ${index}`).toEqual(expected.map(summarize));
      expect(tab.outbox.entries(), `tab ${index}`).toEqual([]);
      tab.close();
    }
    // Every comment exists once.
    const ownClientIds = service.comments().flatMap(({ client_id, account_id }) => (client_id && account_id === ME ? client_id : []));
    expect(new Set(ownClientIds).size).toBe(ownClientIds.length);
    expect(ownClientIds.length).toBeGreaterThan(0);
  },
);
