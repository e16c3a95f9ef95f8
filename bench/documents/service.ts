/**
 * Benchmarks how long a PDF takes from its upload to the index, and the search in documents, each beside a yardstick in the same run.
 * `npm run bench -- documents`, or `node bench/documents/service.ts [pages] [documents] [requests]`, as in `node bench/documents/service.ts 1000 3 30`, on SQLite.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { parseSearchTerms, tokenizeForIndex } from "../../contract/search-tokens.ts";
import { readDocument } from "../../server/media/documents/read-document.ts";
import { createPdf } from "../../server/media/testing/create-pdf.ts";
import { currentVersion, upload } from "../../server/testing/files.ts";
import { createFixtures } from "../../server/testing/fixtures.ts";
import setUpTemplates from "../../server/testing/templates-setup.ts";
import { recognize } from "../../server/media/recognition/recognize.ts";
import type { Actor } from "../../server/access/access.ts";
import { percentile } from "../lib/statistics.ts";
import { createRandom } from "../data/generated-chat.ts";

const PAGES = Number(process.argv[2] ?? 1_000);
const DOCUMENTS = Number(process.argv[3] ?? 3);
const REQUESTS = Number(process.argv[4] ?? 30);
const WORDS_PER_PAGE = 300;
const WORDS = Array.from({ length: 2_000 }, (_, index) => `w${index.toString(36)}`);
const POLL_INTERVAL_MS = 5;

const random = createRandom(7);
const createText = (): string => Array.from({ length: WORDS_PER_PAGE }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]).join(" ");
const format = (times: readonly number[]): string => `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.95).toFixed(1)}`;

async function time(run: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

const folder = mkdtempSync(join(tmpdir(), "talkback-bench-"));
const removeTemplates = setUpTemplates();
const fixtures = await createFixtures("sqlite");
const { testApp, member, home } = fixtures;
const account = await testApp.database.read.selectFrom("accounts").selectAll().where("id", "=", member.id).executeTakeFirstOrThrow();
const actor: Actor = {
  accountId: account.id,
  organisationId: account.organisation_id,
  role: account.role,
  scopes: null,
  tokenId: null,
  sessionId: null,
  address: null,
  checkedRules: new Set(),
};
const everywhere = { teamId: null, projectId: null, fileId: null, version: null, before: null, limit: 20 };
const stop = testApp.app.startMedia();
// The yardstick: the same library in this process, and the same tokens in a table of its own.
const bare = new DatabaseSync(join(folder, "bare.db"));
bare.exec("pragma journal_mode = wal; create virtual table pages using fts5 (words, tokenize = 'unicode61')");
const insert = bare.prepare("insert into pages (words) values (?)");
const [services, bares]: [number[], number[]] = [[], []];
try {
  for (let document = 0; document < DOCUMENTS; document += 1) {
    const bytes = createPdf(Array.from({ length: PAGES }, createText));
    const path = join(folder, "document.pdf");
    writeFileSync(path, bytes);
    bares.push(
      await time(async () => {
        const text = await readDocument({ path, ...recognize(path) }, () => {});
        bare.exec("begin");
        for (const page of text!.pages) insert.run(tokenizeForIndex(page.text).join(" "));
        bare.exec("commit");
      }),
    );
    const id = await upload(testApp, member, { parent: home.folder, name: `document ${document}.pdf`, bytes });
    services.push(
      await time(async () => {
        while ((await currentVersion(testApp, id)).transcoding_status !== "transcoded") await pause(POLL_INTERVAL_MS);
      }),
    );
  }
  console.info(`${DOCUMENTS} PDFs of ${PAGES} pages with ${WORDS_PER_PAGE} words, load ${loadavg()[0]?.toFixed(1)}; p50 / p95 in ms`);
  console.info("| | service | yardstick |\n| --- | --- | --- |");
  console.info(`| from the upload to the index; reading and indexing in one process | ${format(services)} | ${format(bares)} |`);
  const select = bare.prepare("select rowid from pages where pages match ? order by rowid desc limit 20");
  for (const [label, query] of [
    ["a rare word", WORDS.at(-1)!],
    ["two common words", `${WORDS[0]} ${WORDS[1]}`],
    ["six words", WORDS.slice(0, 6).join(" ")],
    ["a phrase", `"${WORDS[0]} ${WORDS[1]}"`],
  ] as const) {
    const match = parseSearchTerms(`${query} `)
      .map(({ token }) => `"${token}"`)
      .join(" AND ");
    const [requests, statements]: [number[], number[]] = [[], []];
    for (let request = 0; request < REQUESTS; request += 1) {
      requests.push(await time(() => testApp.app.services.knowledge.search(actor, { ...everywhere, query: `${query} ` })));
      statements.push(await time(() => select.all(match)));
    }
    console.info(`| ${label}; the statement alone | ${format(requests)} | ${format(statements)} |`);
  }
} finally {
  await stop();
  await testApp.close();
  bare.close();
  await removeTemplates?.();
  rmSync(folder, { recursive: true, force: true });
}
