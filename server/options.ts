/** Command-line options of `npm start` and `npm run worker`: shorthands for settings, and the service to which `--upstream` forwards. */
import { ConfigError, SETTINGS } from "./config.ts";
import { parseUpstream, type Upstream } from "./upstream/address.ts";

type Environment = Record<string, string | undefined>;

const UPSTREAM = "--upstream";
const SHORTHANDS: Record<string, (environment: Environment) => Environment> = {
  /** Allows receivers on this machine, such as `npm run receiver`. */
  "--allow-local-webhooks": (environment) => ({
    WEBHOOK_ALLOW_HTTP: "on",
    WEBHOOK_ALLOW_CIDRS: [environment["WEBHOOK_ALLOW_CIDRS"], "127.0.0.0/8", "::1/128"].filter(Boolean).join(","),
  }),
};
/** Settings that mean something when another service has the data. */
const UPSTREAM_SETTINGS = ["HOST", "PORT", "PUBLIC_URL", "LOG_LEVEL", "LOG_FORMAT", "TRUST_PROXY", "CONNECTIONS_PER_NETWORK"];

export interface Options {
  /** The environment with the shorthands applied. */
  environment: Environment;
  /** null: this process is the service itself. */
  upstream: Upstream | null;
}

const WORK = ["delivery", "media"] as const;
type Work = (typeof WORK)[number];

/** Returns what a worker does (without an option: delivery), and the arguments that are left for `readOptions`. */
export function readWorkerOptions(args: readonly string[]): { work: readonly Work[]; rest: string[] } {
  const work = WORK.filter((one) => args.includes(`--${one}`));
  return { work: work.length > 0 ? work : ["delivery"], rest: args.filter((arg) => !WORK.some((one) => arg === `--${one}`)) };
}

/** Throws a `ConfigError` for an unknown option, for a value that is missing or wrong, and for what `--upstream` cannot be combined with. */
export function readOptions(environment: Environment, args: readonly string[]): Options {
  let result = environment;
  const shorthands: string[] = [];
  const addresses: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const shorthand = SHORTHANDS[arg];
    if (shorthand) {
      shorthands.push(arg);
      result = { ...result, ...shorthand(result) };
    } else if (arg === UPSTREAM) {
      const next = rest[0]?.startsWith("--") ? undefined : rest.shift();
      addresses.push(next ?? "");
    } else if (arg.startsWith(`${UPSTREAM}=`)) addresses.push(arg.slice(UPSTREAM.length + 1));
    else throw new ConfigError(`Unknown option ${arg}. Available options: ${[...Object.keys(SHORTHANDS), `${UPSTREAM} URL`].join(", ")}.`);
  }
  const [address, ...others] = addresses;
  if (address === undefined) return { environment: result, upstream: null };
  if (address === "") throw new ConfigError(`${UPSTREAM} needs the address of a service: npm start -- ${UPSTREAM} https://service.example`);
  if (others.length > 0) throw new ConfigError(`${UPSTREAM} may be given only once: this client is for one service.`);
  if (shorthands.length > 0) throw new ConfigError(`${UPSTREAM} cannot be combined with ${shorthands[0]}: the other service sends the webhooks.`);
  assertNoUnusedSettings(environment);
  return { environment: result, upstream: toUpstream(address) };
}

function assertNoUnusedSettings(environment: Environment): void {
  const names = Object.values(SETTINGS).flatMap(({ name }) => (environment[name]?.trim() && !UPSTREAM_SETTINGS.includes(name) ? [name] : []));
  if (names.length > 0)
    throw new ConfigError(`${UPSTREAM} leaves all data to the other service, so these settings would have no effect. Unset them: ${names.join(", ")}.`);
}

function toUpstream(address: string): Upstream {
  try {
    return parseUpstream(address);
  } catch (error) {
    throw new ConfigError(`${UPSTREAM} ${(error as Error).message}`);
  }
}
