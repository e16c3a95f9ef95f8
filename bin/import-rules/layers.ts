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
}

const SHARED_CLIENT = ["queries", "audio", "ui", "client lib", "contract"];
const SERVICE_LAYERS = [
  "http",
  "presenters",
  "domain",
  "domain core",
  "events",
  "jobs",
  "media",
  "delivery",
  "storage",
  "engine errors",
  "db",
  "config",
  "master key",
];
const SERVICE = [...SERVICE_LAYERS, "server lib", "contract"];

export const LAYERS: Readonly<Record<string, Layer>> = {
  contract: { path: /^contract\//, allowed: [] },

  "client entry": { path: /^src\/main\.tsx$/, allowed: ["app", "ui", "client lib"] },
  app: { path: /^src\/app\//, allowed: ["views", "parts", "queries", "ui", "client lib", "contract"] },
  views: { path: /^src\/views\/(?<own>[^/]+)\//, allowed: ["parts", ...SHARED_CLIENT] },
  parts: { path: /^src\/parts\//, allowed: SHARED_CLIENT },
  queries: { path: /^src\/queries\//, allowed: ["api", "client lib", "contract"] },
  api: { path: /^src\/api\//, allowed: ["client lib", "contract"] },
  audio: { path: /^src\/audio\//, allowed: ["api", "client lib"] },
  ui: { path: /^src\/ui\//, allowed: ["client lib"] },
  "client lib": { path: /^src\/lib\//, allowed: [] },

  "service tests": { path: /^server\/(testing\/|[^/]+\.test\.ts$)/, allowed: ["composition", ...SERVICE] },
  composition: {
    path: /^server\/(app\.ts|main\.ts|worker\.ts|options\.ts|files-room\.ts|services-room\.ts|review-room\.ts|media-room\.ts|webhook-room\.ts|delivery-room\.ts|demo-room\.ts|admin\.ts|admin\/)/,
    allowed: SERVICE,
  },
  config: { path: /^server\/config\.ts$/, allowed: ["server lib"] },
  "master key": { path: /^server\/master-key\.ts$/, allowed: ["config", "server lib"] },
  http: {
    path: /^server\/http\//,
    allowed: ["domain", "domain core", "presenters", "events", "engine errors", "contract", "server lib"],
    allowedTypes: ["db", "storage", "delivery"],
  },
  presenters: { path: /^server\/presenters\//, allowed: ["contract"], allowedTypes: ["domain", "domain core", "db"] },
  // An event's body is the wire record and is written in the transaction of the change, so the domain uses presenters
  // and the limits of the contract. server/app.ts passes in storage and queue, whose interfaces live in their own layers.
  domain: {
    path: /^server\/domain\/(?<own>[^/]+)\//,
    allowed: ["domain core", "presenters", "events", "engine errors", "db", "server lib", "contract"],
    allowedTypes: ["storage", "jobs"],
  },
  // access.ts and the few files beside it that all domain folders share.
  "domain core": { path: /^server\/domain\/[^/]+\.ts$/, allowed: ["presenters", "events", "engine errors", "db", "server lib", "contract"] },
  events: { path: /^server\/events\//, allowed: ["db", "server lib", "contract"] },
  jobs: { path: /^server\/jobs\//, allowed: ["db", "server lib"] },
  media: { path: /^server\/media\//, allowed: ["server lib"] },
  delivery: { path: /^server\/delivery\//, allowed: ["presenters", "db", "server lib", "contract"] },
  storage: { path: /^server\/storage\//, allowed: ["server lib"] },
  // Classifies database errors for the layers that handle them.
  "engine errors": { path: /^server\/db\/engine-errors\.ts$/, allowed: [] },
  // A migration fills the search index with the contract's tokenizer.
  db: { path: /^server\/db\//, allowed: ["config", "engine errors", "server lib", "contract"] },
  "server lib": { path: /^server\/lib\//, allowed: [] },

  bin: { path: /^bin\//, allowed: [] },
  // The media test generators produce real audio and video for the browser tests.
  e2e: { path: /^(e2e\/|playwright\.config\.ts$)/, allowed: ["contract", "bin", "service tests", "media"] },
  bench: { path: /^bench\//, allowed: ["contract", "bin", "e2e", "composition", "service tests", ...SERVICE] },
  settings: { path: /^(vite|vitest|vitest\.(media|faults))\.config\.ts$/, allowed: ["bin"] },
};

/** Tests may also import every layer of their own side and its test helpers. */
export const TEST_FILE = /\.test\.tsx?$/;
export const TEST_ALLOWANCES: readonly { path: RegExp; allowed: readonly string[] }[] = [
  { path: /^server\//, allowed: ["service tests", "composition", ...SERVICE] },
  { path: /^src\//, allowed: ["app", "views", "parts", "api", ...SHARED_CLIENT] },
  // Tests compare the actions that the client offers with the permissions of the service.
  { path: /^src\/queries\//, allowed: ["domain core"] },
  // Tests verify that the code samples on the page accept the service's signatures and that both validate URLs alike.
  { path: /^src\/views\/webhooks\//, allowed: ["delivery"] },
  { path: /^contract\//, allowed: [] },
  { path: /^bin\//, allowed: ["config"] },
  { path: /^bench\//, allowed: ["contract", "bin", "composition", "service tests", ...SERVICE] },
];

/** Suggested fix, keyed by the imported layer. */
export const HINTS: Readonly<Record<string, string>> = {
  api: "Call a hook of src/queries; only queries call the API.",
  queries: "Take the data as props or arguments, and call the hook further up.",
  views: "Move what both views need to src/parts (domain), src/ui (looks) or src/lib (pure).",
  app: "Move what is shared down to src/parts, src/ui or src/lib; app is the top.",
  parts: "Move what is free of the domain to src/ui or src/lib.",
  ui: "Pass it in from a component, or move the pure part to src/lib.",
  "client lib": "Pure helpers of the client stay in the client; the service has server/lib.",
  "server lib": "Pure helpers of the service stay in the service; the client has src/lib.",
  contract: "Turn records into plain values at the edge (src/queries, src/api, server/http, server/presenters).",
  domain: "Declare a small interface in your own folder and let server/app.ts pass the other one in, or move what all share beside domain/access.ts.",
  "domain core": "Let the caller in domain/ pass in what is needed.",
  http: "Return a value or throw a Fault; http turns both into answers.",
  db: "Ask a repository in server/domain for it.",
  presenters: "Let the caller pass the wire record in.",
  events: "Let the domain service write the event.",
  composition: "Take what you need as an argument; server/app.ts passes it in.",
  "service tests": "Only tests may use server/testing.",
};
export const DEFAULT_HINT = "Pass it in as an argument from a layer that may import both, or move the shared part to a layer that both may import.";

/** Modules and globals with network access, and the folders that may use them. */
export const NETWORK_MODULES = /^(node:)?(https?|http2|net|tls|dgram)$|^undici(\/|$)/;
export const NETWORK_GLOBALS: ReadonlySet<string> = new Set(["fetch", "WebSocket", "XMLHttpRequest", "EventSource", "WebTransport", "sendBeacon"]);
export const NETWORK_PATHS = /^(src\/api|server\/delivery|server\/testing|e2e|bench|bin)\//;
export const NETWORK_HINT = "Network calls stand only in src/api and server/delivery (and in tests, bench and bin).";

/** Packages that only certain layers may import. */
export const PACKAGE_OWNERS: readonly { packages: RegExp; layers: RegExp; hint: string }[] = [
  {
    packages: /^@tanstack\/(react-)?query/,
    layers: /^src\/queries\/|^src\/app\/App\.tsx$/,
    hint: "Only src/queries knows TanStack Query: write a hook there and call it.",
  },
  { packages: /^wavesurfer\.js/, layers: /^src\/audio\//, hint: "Only src/audio knows wavesurfer: extend its adapter." },
  { packages: /^(pg|node:sqlite)$/, layers: /^(server\/db|server\/testing|bench|bin|e2e)\//, hint: "Only server/db opens databases." },
  {
    packages: /^fastify$|^@fastify\//,
    layers: /^(server\/(http|testing)|bench)\/|^server\/app\.ts$/,
    hint: "Only server/http and server/app.ts know Fastify.",
  },
  {
    packages: /^kysely$/,
    layers: /^server\/(db|domain|events|jobs|delivery|testing|admin)\/|^bench\//,
    hint: "SQL stands in repositories of server/domain, in events, jobs, delivery and db.",
  },
  { packages: /^(node-av|sharp)(\/|$)/, layers: /^(server\/media|bench)\//, hint: "Only server/media knows the engines: ask it through analyse()." },
  { packages: /^@tus\//, layers: /^server\/http\/media\//, hint: "Only server/http/media speaks tus." },
  { packages: /^tus-js-client$/, layers: /^src\/api\//, hint: "Only src/api uploads: call it through src/queries." },
  { packages: /^node:/, layers: /^(server|bin|e2e|bench)\/|^[^/]+\.config\.ts$/, hint: "Client and contract run in a browser." },
];
