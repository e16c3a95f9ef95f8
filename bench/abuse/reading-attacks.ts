/** Attacks by responses that are large or take long to make, and by long writes. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Attack, expectAtMost } from "./attack.ts";
import { count, endAll, openRaw, repeat, requestHead } from "./requests.ts";

const HISTORY = "/v1/account/projects/chat_history";

export const READING_ATTACKS: Attack[] = [
  {
    name: "history",
    title: "15 pages of history a second, of messages of 10,000 emoji",
    run: ({ target, send, seconds, outcomes }) =>
      repeat(15, seconds, async () => {
        const { text } = await send({ method: "POST", path: HISTORY, headers: target.guest, body: { project_id: target.large.project, limit: 200 } });
        if (text.length > 1_500_000) count(outcomes, "large");
      }),
    findProblem: (outcomes) => expectAtMost(outcomes, "large", 0),
  },
  {
    name: "comments",
    title: "15 pages of comments a second, of 10,000 emoji each",
    run: ({ target, send, seconds, outcomes }) =>
      repeat(15, seconds, async () => {
        const { text } = await send({ method: "GET", path: `/api/v2/files/${target.large.commentedFile}/comments?limit=200`, headers: target.guest });
        if (text.length > 1_500_000) count(outcomes, "large");
      }),
    findProblem: (outcomes) => expectAtMost(outcomes, "large", 0),
  },
  {
    name: "unread",
    title: "60 responses that nobody reads, of pages of history",
    async run({ target, outcomes, seconds }) {
      const body = JSON.stringify({ project_id: target.large.project, limit: 200 });
      const headers = { ...target.guest, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const sockets = Array.from({ length: 60 }, () => openRaw(target.service.base, outcomes, requestHead("POST", HISTORY, headers) + body, { reads: false }));
      await sleep(seconds * 1_000);
      endAll(sockets, outcomes, "unread");
    },
  },
  {
    name: "folders",
    title: "10 listings of all folders of a project a second",
    run: ({ target, send, seconds, outcomes }) =>
      repeat(10, seconds, async () => {
        const { text } = await send({ method: "GET", path: `/api/v2/projects/${target.large.project}/folders`, headers: target.guest });
        if (text.length > 1_500_000) count(outcomes, "large");
      }),
    findProblem: (outcomes) => expectAtMost(outcomes, "large", 0),
  },
  {
    name: "ls",
    title: "10 listings of a folder of 10,000 files a second",
    run: ({ target, send, seconds, outcomes }) =>
      repeat(10, seconds, async () => {
        const { text } = await send({ method: "POST", path: "/v1/files/ls", headers: target.guest, body: { file_id: target.large.fullFolder } });
        if (text.length > 1_500_000) count(outcomes, "large");
      }),
    findProblem: (outcomes) => expectAtMost(outcomes, "large", 0),
  },
  {
    name: "facets",
    title: "15 counts of all filter values a second",
    run: ({ target, send, seconds }) =>
      repeat(15, seconds, () => send({ method: "GET", path: `/api/v2/projects/${target.large.project}/file-facets`, headers: target.guest })),
  },
  {
    name: "search",
    title: "15 searches for a name that no file has, and through a folder, a second",
    run: ({ target, send, seconds }) =>
      repeat(15, seconds, (index) => {
        const folder = index % 2 === 0 ? `&folder_id=${target.large.fullFolder}` : "";
        const path = `/api/v2/projects/${target.large.project}/files?deep=true&q=nothing%20${index}${folder}`;
        return send({ method: "GET", path, headers: target.guest });
      }),
  },
  {
    name: "archive",
    title: "5 sizes of a zip of a folder of 10,000 files a second",
    run: ({ target, send, seconds }) =>
      repeat(5, seconds, () => send({ method: "HEAD", path: `/api/v2/files/archive?ids=${target.large.fullFolder}`, headers: target.guest })),
  },
  {
    name: "unread-zips",
    title: "60 zips of a folder of 10,000 files that nobody reads",
    async run({ target, outcomes, seconds, scale }) {
      const head = requestHead("GET", `/api/v2/files/archive?ids=${target.large.fullFolder}`, target.guest);
      const sockets = Array.from({ length: 60 * scale }, () => openRaw(target.service.base, outcomes, head, { reads: false }));
      await sleep(seconds * 1_000);
      endAll(sockets, outcomes, "unread");
    },
  },
  {
    name: "delete-restore",
    title: "a folder of 10,000 files deleted and restored without a pause",
    async run({ target, send, seconds }) {
      const body = { file_ids: [target.large.fullFolder] };
      for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
        await send({ method: "POST", path: "/api/v2/files/delete", headers: target.owner, body });
        await send({ method: "POST", path: "/api/v2/files/restore", headers: target.owner, body });
      }
    },
  },
];
