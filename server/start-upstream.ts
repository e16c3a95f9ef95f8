/** Starts the client with another service behind it, and says at once whether that service can be reached. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { ConfigError, VERSION, type Config } from "./config.ts";
import { listen } from "./http/server.ts";
import { formatWarnings, startupWarnings } from "./startup-warnings.ts";
import type { Upstream } from "./upstream/address.ts";
import { unreachableReason } from "./upstream/forward.ts";
import { createUpstreamServer } from "./upstream/server.ts";

/** Longer than a service on the other side of the world takes. */
const CHECK_TIMEOUT_MS = 5_000;

/** Listens until the returned function is called. Opens no database, reads and writes no data folder, and makes no key. */
export async function startUpstreamServer(config: Config, upstream: Upstream): Promise<() => Promise<void>> {
  if (upstream.origin === config.publicUrl)
    throw new ConfigError(`--upstream ${upstream.baseUrl} is the address of this client itself. Set PORT to another port.`);
  const server = await createUpstreamServer({ config, upstream });
  await listen(server, config);
  const lines = [``, `  Talkback ${VERSION}`, ``, `  Open      ${config.publicUrl}`, `  Service   ${upstream.baseUrl}`];
  lines.push(`            Requests to /v1 and /api/v2 are forwarded there. Nothing is stored here.`);
  const reason = await findUnreachableReason(upstream);
  if (reason !== null) lines.push(``, `  Warning   The service cannot be reached: ${reason}.`, `            Until it can, requests are answered with 502.`);
  lines.push(...formatWarnings(startupWarnings(config, { isRoot: false, isPublicUrlSet: Boolean(process.env["PUBLIC_URL"]), isForwarding: true })));
  console.log([...lines, ``, `  Stop with Ctrl+C`, ``].join("\n"));
  return () => server.close();
}

/** Returns null if the service responds, whatever it responds. */
function findUnreachableReason({ baseUrl }: Upstream): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const request = (baseUrl.startsWith("https:") ? requestHttps : requestHttp)(`${baseUrl}/api/v2/service`, { agent: false });
  const timer = setTimeout(() => request.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })), CHECK_TIMEOUT_MS);
  request
    .on("response", () => resolve(null))
    .on("error", (error) => resolve(unreachableReason(error)))
    .end();
  return promise.finally(() => {
    clearTimeout(timer);
    request.destroy();
  });
}
