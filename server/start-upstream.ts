/** Starts the client with another service behind it, and says at once whether that service can be reached. */
import { ConfigError, VERSION, type Config } from "./config.ts";
import { listen } from "./http/server.ts";
import type { Log } from "./lib/log.ts";
import { logWork } from "./observability/log-work.ts";
import { formatWarnings, startupWarnings } from "./startup-warnings.ts";
import type { Upstream } from "./upstream/address.ts";
import { findUnreachableReason } from "./upstream/forward.ts";
import { createUpstreamServer } from "./upstream/server.ts";

/** Listens until the returned function is called. Opens no database, reads and writes no data folder, and makes no key. */
export async function startUpstreamServer(config: Config, upstream: Upstream, log?: Log): Promise<() => Promise<void>> {
  if (upstream.origin === config.publicUrl)
    throw new ConfigError(`--upstream ${upstream.baseUrl} is the address of this client itself. Set PORT to another port.`);
  const server = await createUpstreamServer({ config, upstream, log });
  const stopLogging = log?.isLevelEnabled("info") ? logWork(log) : () => {};
  await listen(server, config);
  const lines = [``, `  Talkback ${VERSION}`, ``, `  Open      ${config.publicUrl}`, `  Service   ${upstream.baseUrl}`];
  lines.push(`            Requests to /v1 and /api/v2 are forwarded there. Nothing is stored here.`);
  const reason = await findUnreachableReason(upstream);
  if (reason !== null) lines.push(``, `  Warning   The service cannot be reached: ${reason}.`, `            Until it can, requests get the response 502.`);
  const warnings = startupWarnings(config, { isRoot: false, isPublicUrlSet: Boolean(process.env["PUBLIC_URL"]), isForwarding: true });
  if (log && config.observability.logFormat === "json") {
    log.info({ url: config.publicUrl, version: VERSION, service: upstream.baseUrl }, "listening");
    if (reason !== null) log.warn({ reason }, "the service cannot be reached");
    for (const warning of warnings) log.warn(warning.join(" "));
  } else console.log([...lines, ...formatWarnings(warnings), ``, `  Stop with Ctrl+C`, ``].join("\n"));
  return async () => {
    await server.close();
    stopLogging();
  };
}
