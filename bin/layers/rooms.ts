/** The rooms of the house and what each may touch: the table that `npm run check` holds every import against. Nothing else is allowed. */

export interface Room {
  /** Matches paths below the project's root; a group `own` keeps siblings apart. The first room that matches is a file's room. */
  path: RegExp;
  /** Names of rooms it may import besides itself. */
  may: readonly string[];
  /** Rooms of which it may import types only. */
  types?: readonly string[];
}

const SHARED_CLIENT = ["queries", "audio", "ui", "client lib", "contract"];
const SERVICE_ROOMS = [
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
const SERVICE = [...SERVICE_ROOMS, "server lib", "contract"];

export const ROOMS: Readonly<Record<string, Room>> = {
  contract: { path: /^contract\//, may: [] },

  "client entry": { path: /^src\/main\.tsx$/, may: ["app", "ui", "client lib"] },
  app: { path: /^src\/app\//, may: ["views", "parts", "queries", "ui", "client lib", "contract"] },
  views: { path: /^src\/views\/(?<own>[^/]+)\//, may: ["parts", ...SHARED_CLIENT] },
  parts: { path: /^src\/parts\//, may: SHARED_CLIENT },
  queries: { path: /^src\/queries\//, may: ["api", "client lib", "contract"] },
  api: { path: /^src\/api\//, may: ["client lib", "contract"] },
  audio: { path: /^src\/audio\//, may: ["api", "client lib"] },
  ui: { path: /^src\/ui\//, may: ["client lib"] },
  "client lib": { path: /^src\/lib\//, may: [] },

  "service tests": { path: /^server\/(testing\/|[^/]+\.test\.ts$)/, may: ["composition", ...SERVICE] },
  composition: {
    path: /^server\/(app\.ts|main\.ts|worker\.ts|options\.ts|files-room\.ts|services-room\.ts|review-room\.ts|media-room\.ts|webhook-room\.ts|delivery-room\.ts|demo-room\.ts|admin\.ts|admin\/)/,
    may: SERVICE,
  },
  config: { path: /^server\/config\.ts$/, may: ["server lib"] },
  "master key": { path: /^server\/master-key\.ts$/, may: ["config", "server lib"] },
  http: {
    path: /^server\/http\//,
    may: ["domain", "domain core", "presenters", "events", "engine errors", "contract", "server lib"],
    types: ["db", "storage", "delivery"],
  },
  presenters: { path: /^server\/presenters\//, may: ["contract"], types: ["domain", "domain core", "db"] },
  // An event's body is the wire record, and is written in the change's transaction: so the domain presents, within the contract's limits.
  // Storage and queue are handed in by server/app.ts; their interfaces stand with them.
  domain: {
    path: /^server\/domain\/(?<own>[^/]+)\//,
    may: ["domain core", "presenters", "events", "engine errors", "db", "server lib", "contract"],
    types: ["storage", "jobs"],
  },
  // access.ts and the few files beside it that every folder of the domain shares.
  "domain core": { path: /^server\/domain\/[^/]+\.ts$/, may: ["presenters", "events", "engine errors", "db", "server lib", "contract"] },
  events: { path: /^server\/events\//, may: ["db", "server lib", "contract"] },
  jobs: { path: /^server\/jobs\//, may: ["db", "server lib"] },
  media: { path: /^server\/media\//, may: ["server lib"] },
  delivery: { path: /^server\/delivery\//, may: ["presenters", "db", "server lib", "contract"] },
  storage: { path: /^server\/storage\//, may: ["server lib"] },
  // What an engine's error means, for whoever answers for it.
  "engine errors": { path: /^server\/db\/engine-errors\.ts$/, may: [] },
  // A migration fills the search index by the contract's rule of what a word is.
  db: { path: /^server\/db\//, may: ["config", "engine errors", "server lib", "contract"] },
  "server lib": { path: /^server\/lib\//, may: [] },

  bin: { path: /^bin\//, may: [] },
  // Real sound and film for the browser are made by the engine's own generators.
  e2e: { path: /^(e2e\/|playwright\.config\.ts$)/, may: ["contract", "bin", "service tests", "media"] },
  bench: { path: /^bench\//, may: ["contract", "bin", "e2e", "composition", "service tests", ...SERVICE] },
  settings: { path: /^(vite|vitest|vitest\.(media|faults))\.config\.ts$/, may: ["bin"] },
};

/** Tests may reach further: into every room of their own side, and its test world. */
export const TEST_FILE = /\.test\.tsx?$/;
export const TESTS_MAY: readonly { path: RegExp; may: readonly string[] }[] = [
  { path: /^server\//, may: ["service tests", "composition", ...SERVICE] },
  { path: /^src\//, may: ["app", "views", "parts", "api", ...SHARED_CLIENT] },
  // What the client offers is held against what the service allows.
  { path: /^src\/queries\//, may: ["domain core"] },
  // What people copy from the page verifies what the service signs, and judges addresses as it does.
  { path: /^src\/views\/webhooks\//, may: ["delivery"] },
  { path: /^contract\//, may: [] },
  { path: /^bin\//, may: ["config"] },
  { path: /^bench\//, may: ["contract", "bin", "composition", "service tests", ...SERVICE] },
];

/** What to do instead, by the room that was wanted. */
export const WAY_OUT: Readonly<Record<string, string>> = {
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
export const OTHER_WAY_OUT = "Take what you need as an argument from a room that may import both, or move the shared part to a room that both may import.";

/** Modules and globals that reach the network, and who may. */
export const NETWORK_MODULES = /^(node:)?(https?|http2|net|tls|dgram)$|^undici(\/|$)/;
export const NETWORK_GLOBALS: ReadonlySet<string> = new Set(["fetch", "WebSocket", "XMLHttpRequest", "EventSource", "WebTransport", "sendBeacon"]);
export const NETWORK_ROOMS = /^(src\/api|server\/delivery|server\/testing|e2e|bench|bin)\//;
export const NETWORK_WAY_OUT = "Network calls stand only in src/api and server/delivery (and in tests, bench and bin).";

/** Packages that only one room knows. */
export const KEEPERS: readonly { packages: RegExp; rooms: RegExp; wayOut: string }[] = [
  {
    packages: /^@tanstack\/(react-)?query/,
    rooms: /^src\/queries\/|^src\/app\/App\.tsx$/,
    wayOut: "Only src/queries knows TanStack Query: write a hook there and call it.",
  },
  { packages: /^wavesurfer\.js/, rooms: /^src\/audio\//, wayOut: "Only src/audio knows wavesurfer: extend its adapter." },
  { packages: /^(pg|node:sqlite)$/, rooms: /^(server\/db|server\/testing|bench|bin|e2e)\//, wayOut: "Only server/db opens databases." },
  {
    packages: /^fastify$|^@fastify\//,
    rooms: /^(server\/(http|testing)|bench)\/|^server\/app\.ts$/,
    wayOut: "Only server/http and server/app.ts know Fastify.",
  },
  {
    packages: /^kysely$/,
    rooms: /^server\/(db|domain|events|jobs|delivery|testing|admin)\/|^bench\//,
    wayOut: "SQL stands in repositories of server/domain, in events, jobs, delivery and db.",
  },
  { packages: /^(node-av|sharp)(\/|$)/, rooms: /^(server\/media|bench)\//, wayOut: "Only server/media knows the engines: ask it through analyse()." },
  { packages: /^@tus\//, rooms: /^server\/http\/media\//, wayOut: "Only server/http/media speaks tus." },
  { packages: /^tus-js-client$/, rooms: /^src\/api\//, wayOut: "Only src/api uploads: call it through src/queries." },
  { packages: /^node:/, rooms: /^(server|bin|e2e|bench)\/|^[^/]+\.config\.ts$/, wayOut: "Client and contract run in a browser." },
];
