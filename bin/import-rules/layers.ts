/**
 * Layers of the code base and their allowed imports: the table against which `npm run check` checks every import. All
 * other imports are violations.
 */

export interface Layer {
  /** Matches paths relative to the project's root. A named group `own` separates sibling folders. The first layer that matches is a file's layer. */
  path: RegExp;
  /** Names of layers it may import besides itself. */
  allowed: readonly string[];
  /** Layers from which it may import types only. */
  allowedTypes?: readonly string[];
  /** Sibling folders that each folder may import; none if left out. */
  siblings?: Readonly<Record<string, readonly string[]>>;
}

const SHARED_CLIENT = ["client", "sync", "queries", "audio", "ui", "client lib", "contract"];
const SERVICE_LAYERS = [
  "upstream",
  "modules",
  "access",
  "http",
  "events",
  "jobs",
  "media",
  "delivery",
  "models",
  "observability",
  "storage",
  "engine errors",
  "db",
  "config",
  "master key",
];
const SERVICE = [...SERVICE_LAYERS, "server lib", "contract"];

/** The modules of the service, each with those it may import. The order keeps the graph acyclic; a later module hands hooks to an earlier one. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  oauth: ["accounts"],
  projects: ["accounts"],
  notifications: ["accounts", "projects"],
  webhooks: ["accounts", "projects", "notifications"],
  files: ["accounts", "projects", "notifications", "webhooks"],
  "project-erasure": ["projects", "files"],
  statuses: ["accounts", "projects", "notifications", "webhooks", "files"],
  tasks: ["accounts", "projects", "notifications", "webhooks", "files"],
  conversation: ["accounts", "projects", "notifications", "webhooks", "files"],
  playlists: ["accounts", "projects", "webhooks", "files"],
  favorites: ["accounts", "projects", "notifications", "webhooks", "files", "conversation", "playlists"],
  metadata: ["accounts", "projects", "files"],
  search: ["accounts", "projects", "files", "conversation"],
  knowledge: ["accounts", "projects", "files", "conversation", "search"],
  "delivery-rules": ["accounts", "projects", "files"],
  agents: ["accounts", "projects"],
  "agent-subscriptions": ["webhooks", "agents"],
  "agent-tasks": ["accounts", "projects", "files", "statuses", "tasks", "conversation", "knowledge", "delivery-rules", "agents"],
  "agent-actions": ["accounts", "projects", "files", "statuses", "tasks", "conversation", "playlists", "metadata"],
  "notification-delivery": ["accounts", "projects", "notifications"],
  demo: [
    "accounts",
    "oauth",
    "projects",
    "notifications",
    "webhooks",
    "files",
    "statuses",
    "tasks",
    "conversation",
    "playlists",
    "favorites",
    "metadata",
    "search",
    "project-erasure",
    "agents",
  ],
};

export const LAYERS: Readonly<Record<string, Layer>> = {
  contract: { path: /^contract\//, allowed: [] },

  // Loads the connection before there is a client.
  "client entry": { path: /^src\/main\.tsx$/, allowed: ["api", "client root", "app", "ui", "client lib"] },
  // Creates every part of the client, so it may import them all; only the entry and tests import it.
  "client root": { path: /^src\/app\/create-client\.ts$/, allowed: ["client", "api", "audio", "queries", "sync", "ui", "client lib"] },
  app: { path: /^src\/app\//, allowed: ["views", "components", ...SHARED_CLIENT] },
  views: { path: /^src\/views\/(?<own>[^/]+)\//, allowed: ["components", ...SHARED_CLIENT] },
  components: { path: /^src\/components\//, allowed: SHARED_CLIENT },
  sync: { path: /^src\/sync\//, allowed: ["client", "queries", "api", "client lib", "contract"] },
  // Hooks that poll while the live channel is down read its state from sync, which imports queries too; the cycle check keeps single files acyclic.
  queries: { path: /^src\/queries\//, allowed: ["client", "sync", "api", "client lib", "contract"] },
  // The list of everything that a client consists of, which every layer above the API may read from the context; src/app/create-client.ts fills it.
  client: { path: /^src\/client\//, allowed: ["client lib"], allowedTypes: ["api", "audio", "queries", "sync", "ui"] },
  // The client for programs, which run on Node and not in a browser; nothing of the browser client imports it.
  programs: { path: /^src\/api\/(programs\/|talkback\.ts$)/, allowed: ["api", "client lib", "contract"] },
  api: { path: /^src\/api\//, allowed: ["client lib", "contract"] },
  audio: { path: /^src\/audio\//, allowed: ["client", "api", "client lib"] },
  ui: { path: /^src\/ui\//, allowed: ["client lib"] },
  "client lib": { path: /^src\/lib\//, allowed: [] },

  // They start the service as a process with the helpers of the test runner.
  "service tests": { path: /^server\/(testing\/|[^/]+\.test\.ts$)/, allowed: ["bin", "composition", ...SERVICE] },
  composition: {
    path: /^server\/(app\.ts|main\.ts|worker\.ts|options\.ts|private-files\.ts|open-sandbox\.ts|startup-warnings\.ts|start-upstream\.ts|start-observability\.ts|create-modules\.ts|cli\/)/,
    allowed: SERVICE,
  },
  // Serves the client for another service: of this one it has only the HTTP server.
  upstream: { path: /^server\/upstream\//, allowed: ["http", "server lib"], allowedTypes: ["config"] },
  config: { path: /^server\/(config|setting|mail-settings|model-settings|s3-settings|observability-settings)\.ts$/, allowed: ["server lib"] },
  "master key": { path: /^server\/master-key\.ts$/, allowed: ["config", "server lib"] },
  // An event's body is the wire record and is written in the transaction of the change, so services use presenters and the limits of the contract.
  modules: {
    path: /^server\/modules\/(?<own>[^/]+)\//,
    siblings: MODULES,
    allowed: ["access", "http", "events", "jobs", "media", "delivery", "models", "storage", "engine errors", "db", "server lib", "contract"],
    allowedTypes: ["config"],
  },
  http: {
    path: /^server\/http\//,
    allowed: ["access", "events", "engine errors", "contract", "server lib"],
    allowedTypes: ["db", "jobs", "delivery", "storage"],
  },
  // Authorization, and what else every module needs: visibility, audit, idempotency.
  access: { path: /^server\/access\//, allowed: ["events", "engine errors", "db", "server lib", "contract"] },
  events: { path: /^server\/events\//, allowed: ["db", "server lib", "contract"] },
  jobs: { path: /^server\/jobs\//, allowed: ["db", "server lib"] },
  media: { path: /^server\/media\//, allowed: ["server lib"] },
  delivery: { path: /^server\/delivery\//, allowed: ["db", "server lib", "contract"] },
  // Asks the operator's language model. The operator names its address, so no guard checks it.
  models: { path: /^server\/models\//, allowed: ["delivery", "server lib"], allowedTypes: ["config"] },
  // Subscribes to what all layers publish in server/lib/instrumentation.ts, so no layer knows it.
  observability: { path: /^server\/observability\//, allowed: ["db", "storage", "contract", "server lib"] },
  storage: { path: /^server\/storage\//, allowed: ["server lib"] },
  // Classifies database errors for the layers that handle them.
  "engine errors": { path: /^server\/db\/engine-errors\.ts$/, allowed: [] },
  // A migration fills the search index with the contract's tokenizer.
  db: { path: /^server\/db\//, allowed: ["config", "engine errors", "server lib", "contract"] },
  "server lib": { path: /^server\/lib\//, allowed: [] },

  // What a program outside of this project could do: the client for programs, and its errors.
  examples: { path: /^docs\/examples\//, allowed: ["programs", "api"] },

  // What configures a build checks it by the rules of the client.
  bin: { path: /^bin\//, allowed: ["contract"] },
  // Stands in for any service of the service document, so it must not share the contract.
  "documented service": { path: /^e2e\/fixtures\/documented-service\//, allowed: ["e2e", "service tests", "media"] },
  // The media test generators produce real audio and video for the browser tests.
  e2e: { path: /^(e2e\/|playwright\.config\.ts$)/, allowed: ["documented service", "contract", "bin", "service tests", "media"] },
  bench: { path: /^bench\//, allowed: ["contract", "bin", "e2e", "composition", "service tests", ...SERVICE] },
  // Renders the demo's songs with our own encoders; its tests analyze them.
  tools: { path: /^tools\//, allowed: ["modules", "media"] },
  settings: { path: /^(vite|vitest|vitest\.(media|faults))\.config\.ts$/, allowed: ["bin"] },
};

/** Names the types of all parts, whose modules import it in turn; its imports of types are no cycles. */
export const TYPE_LIST = /^src\/client\/client\.ts$/;

/** Tests may also import every layer of their own side and its test helpers. */
export const TEST_FILE = /\.(test|long)\.tsx?$/;
/** What several tests share: it may import what they may, and only tests import it. */
export const FIXTURE_FILE = /\.fixture\.tsx?$/;
export const TEST_ALLOWANCES: readonly { path: RegExp; allowed: readonly string[] }[] = [
  { path: /^server\//, allowed: ["service tests", "composition", ...SERVICE] },
  { path: /^src\//, allowed: ["client root", "app", "views", "components", "api", ...SHARED_CLIENT] },
  // Tests verify that the code samples on the page accept the service's signatures and that both validate URLs alike.
  { path: /^src\/views\/webhooks\//, allowed: ["delivery"] },
  // They run against the real service.
  { path: /^(src\/api\/programs|docs\/examples)\//, allowed: ["programs", "api", "bin", "service tests", "composition", ...SERVICE] },
  { path: /^contract\//, allowed: [] },
  { path: /^bin\//, allowed: ["config"] },
  { path: /^tools\//, allowed: ["server lib"] },
  { path: /^bench\//, allowed: ["contract", "bin", "composition", "service tests", ...SERVICE] },
];

/** Suggested fix, keyed by the imported layer. */
export const HINTS: Readonly<Record<string, string>> = {
  api: "Call a hook of src/queries or src/sync; only they call the API.",
  client: "Take the part that you need as an argument.",
  queries: "Take the data as props or arguments, and call the hook further up.",
  sync: "Take what you need as an argument, and call the hook further up.",
  views: "Move what both views need to src/components (domain), src/ui (looks) or src/lib (pure).",
  app: "Move what is shared down to src/components, src/ui or src/lib; app is the top.",
  components: "Move what is free of the domain to src/ui or src/lib.",
  ui: "Pass it in from a component, or move the pure part to src/lib.",
  "client lib": "Pure helpers of the client stay in the client; the service has server/lib.",
  "server lib": "Pure helpers of the service stay in the service; the client has src/lib.",
  contract: "Turn records into plain values at the edge (src/queries, src/api, a module's presenter).",
  modules: "Modules are ordered (MODULES in bin/import-rules/layers.ts): let the later module hand in a hook, or move what both need to the earlier one.",
  access: "Let the calling module pass in what is needed.",
  http: "Return a value or throw an HttpError; http turns both into responses.",
  db: "Use a repository of a module in server/modules.",
  events: "Let the module's service write the event.",
  composition: "Take what you need as an argument; server/app.ts passes it in.",
  "service tests": "Only tests may use server/testing.",
};
export const DEFAULT_HINT = "Pass it in as an argument from a layer that may import both, or move the shared part to a layer that both may import.";

/** Modules and globals with network access, and the folders that may use them. */
export const NETWORK_MODULES = /^(node:)?(https?|http2|net|tls|dgram)$|^undici(\/|$)/;
export const NETWORK_GLOBALS: ReadonlySet<string> = new Set(["fetch", "WebSocket", "XMLHttpRequest", "EventSource", "WebTransport", "sendBeacon"]);
export const NETWORK_PATHS =
  /^((src\/api|server\/delivery|server\/models|server\/upstream|server\/testing|e2e|bench|bin)\/|server\/http\/(docs\/viewer\.js|server\.ts)$)/;
export const NETWORK_HINT =
  "Network calls are allowed only in src/api, server/delivery, server/models, server/upstream and the script of the API reference (and in tests, bench and bin); server/http/server.ts listens.";

/** Code that runs in production, tests and what only they use aside; it must not import development dependencies. */
export const PRODUCTION_PATHS = /^(contract\/|src\/|server\/(?!testing\/))(?!.*\.(fixture|long)\.tsx?$)/;

/** Client modules hold no state of their own and do nothing when they are imported, except for the entry. */
export const STATELESS_PATHS = /^src\/(?!main\.tsx$)/;
export const STATE_HINT = "Let src/app/create-client.ts create it, keep it in a component or context, or compute it.";
/** Module-level state that is allowed, by file. */
export const MODULE_STATE: Readonly<Record<string, { names: readonly string[]; reason: string }>> = {
  "src/lib/local-storage.ts": { names: ["fallback"], reason: "Stands in for the browser's own storage, which all clients of a page share." },
  "src/lib/locale.ts": { names: ["current"], reason: "The whole page has one locale, as `Intl` has, and nothing that formats a date has a client." },
  "src/queries/file-lists/folder-tree.ts": { names: ["treeOf"], reason: "Caches the results of a pure function by the identity of its argument." },
  "src/queries/file-lists/listing.ts": { names: ["nameKeyOf"], reason: "Caches the results of a pure function by the identity of its argument." },
};

/** Packages that only certain layers may import. */
export const PACKAGE_OWNERS: readonly { packages: RegExp; layers: RegExp; hint: string }[] = [
  {
    packages: /^@tanstack\/(react-)?query/,
    layers: /^(src\/(queries|sync)|bench)\/|^src\/app\/App\.tsx$/,
    hint: "Only src/queries and src/sync know TanStack Query: write a hook there and call it.",
  },
  { packages: /^wavesurfer\.js/, layers: /^(src\/audio|bench)\//, hint: "Only src/audio knows wavesurfer: extend its adapter." },
  { packages: /^(pg|node:sqlite)$/, layers: /^(server\/db|server\/testing|bench|bin|e2e)\//, hint: "Only server/db opens databases." },
  {
    packages: /^fastify$|^@fastify\//,
    layers: /^(server\/(http|upstream|testing)|bench)\/|^server\/app\.ts$/,
    hint: "Only server/http, server/upstream and server/app.ts know Fastify.",
  },
  {
    packages: /^kysely$/,
    layers: /^server\/(db|access|modules|events|jobs|delivery|observability|testing|cli)\/|^bench\//,
    hint: "SQL belongs in server/modules, access, events, jobs, delivery and db.",
  },
  { packages: /^(node-av|sharp|music-metadata)(\/|$)/, layers: /^(server\/media|bench|tools)\//, hint: "Only server/media knows the engines: call analyze()." },
  { packages: /^@tus\//, layers: /^server\/modules\/files\//, hint: "Only server/modules/files speaks tus." },
  { packages: /^(yauzl|saxes)$/, layers: /^server\/media\//, hint: "Only server/media opens documents: call analyze()." },
  { packages: /^pdfjs-dist(\/|$)/, layers: /^(server\/media|src\/views\/review)\//, hint: "Only server/media and src/views/review read PDFs." },
  { packages: /^csv-(parse|stringify)$/, layers: /^server\/modules\/metadata\//, hint: "Only server/modules/metadata reads and writes CSV." },
  { packages: /^croner$/, layers: /^server\/modules\/agent-tasks\//, hint: "Only server/modules/agent-tasks knows schedules: call nextRun()." },
  { packages: /^@aws-sdk\//, layers: /^server\/storage\/s3\//, hint: "Only server/storage/s3 knows the client of the store: use Storage." },
  { packages: /^yazl$/, layers: /^server\/modules\/files\//, hint: "Only server/modules/files makes zips: call createArchiveStream()." },
  { packages: /^(web-push|nodemailer)(\/|$)/, layers: /^server\/delivery\//, hint: "Only server/delivery sends push messages and emails." },
  {
    packages: /^@opentelemetry\//,
    layers: /^server\/observability\//,
    hint: "Only server/observability knows OpenTelemetry: publish in server/lib/instrumentation.ts.",
  },
  { packages: /^pino$/, layers: /^server\/lib\/log\.ts$/, hint: "Only server/lib/log.ts knows pino: call createLog()." },
  { packages: /^tus-js-client$/, layers: /^src\/api\//, hint: "Only src/api uploads: call it through src/sync." },
  { packages: /^idb$/, layers: /^src\/(lib|audio|sync)\//, hint: "Store records through src/lib/database.ts from src/sync or src/audio." },
  {
    packages: /^node:/,
    layers: /^(server|bin|e2e|bench|tools|docs\/examples|src\/api\/programs)\/|^[^/]+\.config\.ts$/,
    hint: "Client and contract run in a browser.",
  },
];
