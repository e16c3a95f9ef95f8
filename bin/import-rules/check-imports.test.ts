import { expect, test } from "vitest";
import { checkImports } from "./check-imports.ts";

/** Checks one module among the given files and returns its violations as text. */
function checkPlanted(path: string, code: string, otherFiles: Record<string, string> = {}): string[] {
  const { violations } = checkImports(new Map(Object.entries({ ...otherFiles, [path]: code })));
  return violations.map((violation) => `${violation.path}:${violation.line} ${violation.message}`);
}

const EXPORT_A = "export const a = 1;\n";
const PROJECT_FILES = {
  "package.json": JSON.stringify({ devDependencies: { standardwebhooks: "1.0.0", "@scope/tool": "1.0.0" } }),
  "contract/records.ts": EXPORT_A,
  "src/api/http.ts": EXPORT_A,
  "src/queries/projects.ts": EXPORT_A,
  "src/views/chat/timeline/rows.ts": EXPORT_A,
  "src/views/review/ReviewView.tsx": EXPORT_A,
  "src/components/Badge.tsx": EXPORT_A,
  "src/sync/outbox/outbox-types.ts": EXPORT_A,
  "src/lib/time.ts": EXPORT_A,
  "src/ui/Button.tsx": EXPORT_A,
  "server/app.ts": EXPORT_A,
  "server/db/database.ts": EXPORT_A,
  "server/access/access.ts": EXPORT_A,
  "server/modules/accounts/sessions.ts": EXPORT_A,
  "server/modules/conversation/chat.ts": EXPORT_A,
  "server/modules/files/uploads.ts": EXPORT_A,
  "server/modules/tasks/tasks.ts": EXPORT_A,
  "server/http/route.ts": EXPORT_A,
  "server/lib/clock.ts": EXPORT_A,
  "server/testing/test-app.ts": EXPORT_A,
};

test.each([
  ["a view that calls the API", "src/views/chat/X.tsx", `import { a } from "../../api/http.ts";`, /views must not know api\. Call a hook of src\/queries/],
  ["a view that imports another view", "src/views/chat/X.tsx", `import { a } from "../review/ReviewView.tsx";`, /views\/chat must not know views\/review/],
  [
    "a view that re-exports another view",
    "src/views/chat/X.tsx",
    `export { a } from "../review/ReviewView.tsx"; export const b = 1;`,
    /views\/chat must not know/,
  ],
  [
    "a view that imports another view dynamically",
    "src/views/chat/X.tsx",
    `export const later = () => import("../review/ReviewView.tsx");`,
    /views\/chat must not know/,
  ],
  [
    "a view that imports another view's type inline",
    "src/views/chat/X.tsx",
    `export type B = import("../review/ReviewView.tsx").B;`,
    /views\/chat must not know/,
  ],
  [
    "a component that imports a view",
    "src/components/X.tsx",
    `export { a } from "../views/chat/timeline/rows.ts";\nexport const b = 1;`,
    /components must not know views/,
  ],
  ["a hook that imports a component", "src/queries/x.ts", `import { a } from "../ui/Button.tsx";`, /queries must not know ui/],
  ["a ui component that imports the contract", "src/ui/X.tsx", `import type { a } from "../../contract/records.ts";`, /ui must not know contract/],
  ["a helper that imports upward", "src/lib/x.ts", `import { a } from "../ui/Button.tsx";`, /client lib must not know ui/],
  ["a contract that imports the client", "contract/x.ts", `import { a } from "../src/lib/time.ts";`, /contract must not know client lib/],
  ["a client that imports the service", "src/queries/x.ts", `import { a } from "../../server/lib/clock.ts";`, /queries must not know server lib/],
  ["a service that imports the client", "server/http/x.ts", `import { a } from "../../src/lib/time.ts";`, /http must not know client lib/],
  [
    "a module that imports a later one",
    "server/modules/files/x.ts",
    `import { a } from "../conversation/chat.ts";`,
    /modules\/files must not know modules\/conversation/,
  ],
  [
    "a module that imports a module of the same level",
    "server/modules/tasks/x.ts",
    `import { a } from "../conversation/chat.ts";`,
    /modules\/tasks must not know/,
  ],
  [
    "the first module that imports any other module",
    "server/modules/accounts/x.ts",
    `import type { a } from "../files/uploads.ts";`,
    /modules\/accounts must not know/,
  ],
  ["a platform folder that imports a module", "server/access/x.ts", `import { a } from "../modules/conversation/chat.ts";`, /access must not know modules/],
  ["HTTP code that imports a module", "server/http/x.ts", `import type { a } from "../modules/conversation/chat.ts";`, /http must not know modules/],
  ["a sync engine that imports a component", "src/sync/x.ts", `import { a } from "../ui/Button.tsx";`, /sync must not know ui/],
  ["a route that imports the database", "server/http/x.ts", `import { a } from "../db/database.ts";`, /only types of db/],
  ["a layer that imports the composition root", "server/http/x.ts", `import { a } from "../app.ts";`, /http must not know composition/],
  ["product code that uses the test app", "server/http/x.ts", `import { a } from "../testing/test-app.ts";`, /http must not know service tests/],
  ["a service helper that imports upward", "server/lib/x.ts", `import { a } from "../db/database.ts";`, /server lib must not know db/],
  ["a file in no layer", "src/helpers/x.ts", `export const a = 1;`, /belongs to no layer/],
  ["an import of a missing file", "src/lib/x.ts", `import { a } from "./gone.ts";`, /is no file of the project/],
  ["a computed import", "src/lib/x.ts", "export const load = (name) => import(`./${name}.ts`);", /computed address/],
  ["a glob", "src/lib/x.ts", `export const all = import.meta.glob("../views/**/*.tsx");`, /import\.meta\.glob/],
  [
    "a worker of another layer",
    "src/views/chat/x.ts",
    `export const start = () => new Worker(new URL("../review/ReviewView.tsx", import.meta.url));`,
    /views\/chat must not know/,
  ],
  ["a barrel", "src/ui/index.ts", `export { a } from "./Button.tsx";\nexport * from "./Button.tsx";`, /only passes on/],
  ["fetch in a hook", "src/queries/x.ts", `export const load = () => fetch("/v1");`, /uses fetch/],
  ["fetch assigned to a variable", "src/queries/x.ts", `export const load = globalThis.fetch;`, /uses fetch/],
  ["a socket in a view", "src/views/chat/x.ts", `export const open = () => new WebSocket("ws://x");`, /uses WebSocket/],
  ["a beacon", "src/app/x.ts", `export const send = () => navigator.sendBeacon("/v1");`, /uses sendBeacon/],
  ["an outgoing request in a module", "server/modules/conversation/x.ts", `import { request } from "node:https";\nrequest("x");`, /imports node:https/],
  ["undici outside delivery", "server/jobs/x.ts", `import { fetch as get } from "undici";\nget("x");`, /imports undici/],
  [
    "TanStack Query in a view",
    "src/views/chat/x.ts",
    `import { useQuery } from "@tanstack/react-query";\nexport const a = () => useQuery();`,
    /Only src\/queries and src\/sync know/,
  ],
  ["a driver outside db", "server/http/x.ts", `import pg from "pg";\nnew pg.Pool();`, /Only server\/db opens/],
  [
    "a development dependency in the service",
    "server/http/x.ts",
    `import { Webhook } from "standardwebhooks";\nnew Webhook("");`,
    /not installed in production/,
  ],
  ["a development dependency in the client", "src/lib/x.ts", `export const load = () => import("@scope/tool/part");`, /Move @scope\/tool to "dependencies"/],
  ["Node in the client", "src/lib/x.ts", `import { join } from "node:path";\nexport const a = () => join();`, /run in a browser/],
  [
    "a module-level variable",
    "src/sync/x.ts",
    `let current = 0;\nexport const next = () => (current += 1);`,
    /has a module-level let \(current\)\. Let src\/app\/create-client/,
  ],
  [
    "a module-level cache",
    "src/queries/x.ts",
    `const cache = new Map();\nexport const put = (a) => void cache.set(a, 1);`,
    /a module-level value that it changes \(cache\)/,
  ],
  [
    "a module-level object",
    "src/views/chat/x.ts",
    `const last = { width: 0 };\nexport const put = (a) => void (last.width = a);`,
    /value that it changes \(last\)/,
  ],
  ["an exported set", "src/queries/x.ts", `export const openIds: Set<number> = new Set();`, /an exported Set that is not readonly \(openIds\)/],
  [
    "a module-level store",
    "src/ui/x.ts",
    `import { createStore } from "../lib/time.ts";\nexport const toasts = createStore([]);`,
    /a module-level store \(toasts\)/,
  ],
  [
    "a module-level database",
    "src/audio/x.ts",
    `import { createDatabase } from "../lib/time.ts";\nconst database = createDatabase("talkback.recordings", {});\nexport const read = () => database;`,
    /a module-level store \(database\)/,
  ],
  [
    "a module-level cache",
    "src/queries/x.ts",
    `import { memoizeByIdentity } from "../lib/time.ts";\nexport const sizeOf = memoizeByIdentity((list: object[]) => list.length);`,
    /a module-level cache \(sizeOf\)/,
  ],
  ["a listener that is added at import", "src/lib/x.ts", `addEventListener("online", () => {});\nexport const a = 1;`, /x\.ts:1 has a side effect/],
  ["a block that runs at import", "src/lib/x.ts", `if (globalThis.navigator) { navigator.onLine; }\nexport const a = 1;`, /x\.ts:1 has a side effect/],
  ["a timer that starts at import", "src/lib/x.ts", `export const timer = setInterval(() => {}, 1_000);`, /has setInterval, which runs at import \(timer\)/],
  [
    "a nested member that changes",
    "src/sync/x.ts",
    `const state = { a: { b: [0] } };\nexport const put = (x) => void state.a.b.push(x);`,
    /value that it changes \(state\)/,
  ],
  ["an import for its side effect", "src/views/chat/x.ts", `import "./timeline/rows.ts";\nexport const a = 1;`, /an import for its side effect/],
  ["an imported test", "src/lib/x.ts", `import { a } from "./y.test.ts";`, /a test is imported by nobody/],
  ["a fixture that is no test code's", "src/lib/x.ts", `import { a } from "./y.fixture.ts";`, /only tests and other fixtures may use a fixture/],
])("catches %s", (_name, path, code, expectedMessage) => {
  const violations = checkPlanted(path, code, { ...PROJECT_FILES, "src/lib/y.test.ts": EXPORT_A, "src/lib/y.fixture.ts": EXPORT_A });
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatch(expectedMessage);
});

test.each([
  ["a view that uses a hook", "src/views/chat/X.tsx", `import { a } from "../../queries/projects.ts";\nimport type { b } from "../../../contract/records.ts";`],
  ["a view that imports its own model", "src/views/chat/X.tsx", `import { a } from "./timeline/rows.ts";`],
  [
    "a module that imports earlier ones",
    "server/modules/tasks/x.ts",
    `import { a } from "../files/uploads.ts";\nimport { a as b } from "../accounts/sessions.ts";`,
  ],
  [
    "constants, and state inside of functions",
    "src/lib/x.ts",
    `const KINDS = new Set(["a"]);\nexport const NAMES: ReadonlyMap<string, string> = new Map();\nexport function create() { let a = 0; const b = new Map(); b.set(KINDS, a); return () => (a += 1); }`,
  ],
  ["the entry, which starts the client", "src/main.tsx", `console.log("started");`],
  ["a service that keeps state", "server/lib/x.ts", `let count = 0;\nexport const next = () => (count += 1);`],
  ["the API that fetches", "src/api/x.ts", `export const open = () => [fetch("/v1"), new WebSocket("ws://x")];`],
  [
    "a member that is only called fetch",
    "src/queries/x.ts",
    `export const options = { fetch: 1 }; export const a = () => options.fetch; interface A { fetch(): void; socket: WebSocket }`,
  ],
  ["a test that uses the test app", "server/http/x.test.ts", `import { a } from "../testing/test-app.ts";\nfetch("/v1");`],
  ["a fixture that uses the test app", "src/api/programs/x.fixture.ts", `import { a } from "../../../server/testing/test-app.ts";\nlet b = a;\nb += fetch;`],
  ["a test that uses a development dependency", "server/http/x.test.ts", `import { Webhook } from "standardwebhooks";\nnew Webhook("");`],
  ["a type of a development dependency", "server/http/x.ts", `import type { Webhook } from "standardwebhooks";`],
  ["the composition root", "server/app.ts", `import { a } from "./modules/conversation/chat.ts";\nimport { b } from "./db/database.ts";`],
])("allows %s", (_name, path, code) => {
  expect(checkPlanted(path, code, PROJECT_FILES)).toEqual([]);
});

test("reports the importing line and the imported file", () => {
  const [violation] = checkPlanted("src/views/chat/X.tsx", `import { a } from "./timeline/rows.ts";\n\nimport { b } from "../../api/http.ts";`, PROJECT_FILES);
  expect(violation).toMatch(/^src\/views\/chat\/X\.tsx:3 imports src\/api\/http\.ts/);
});

test("reports an import cycle, including type-only and dynamic imports", () => {
  const { violations } = checkImports(
    new Map([
      ["src/lib/a.ts", `import { b } from "./b.ts";\nexport const a = b;`],
      ["src/lib/b.ts", `import type { C } from "./c.ts";\nexport const b = 1;`],
      ["src/lib/c.ts", `export const c = () => import("./a.ts");`],
      ["src/lib/d.ts", `import { a } from "./a.ts";\nexport const d = a;`],
    ]),
  );
  expect(violations.map(({ message }) => message)).toEqual([expect.stringContaining("src/lib/a.ts -> src/lib/b.ts -> src/lib/c.ts -> src/lib/a.ts")]);
});

test("names the module that cannot be parsed", () => {
  expect(() => checkPlanted("src/lib/x.ts", "export const = 1;")).toThrow(/src\/lib\/x\.ts/);
});
