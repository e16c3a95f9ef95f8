/** Command-line options of `npm start`: shorthands for settings. */
import { ConfigError } from "./config.ts";

type Environment = Record<string, string | undefined>;

const OPTIONS: Record<string, (environment: Environment) => Environment> = {
  /** Allows receivers on this machine, such as `npm run receiver`. */
  "--allow-local-webhooks": (environment) => ({
    WEBHOOK_ALLOW_HTTP: "on",
    WEBHOOK_ALLOW_CIDRS: [environment["WEBHOOK_ALLOW_CIDRS"], "127.0.0.0/8", "::1/128"].filter(Boolean).join(","),
  }),
};

/** Returns the environment with the options applied; throws a `ConfigError` for an unknown option. */
export function applyOptions(environment: Environment, args: readonly string[]): Environment {
  let result = environment;
  for (const arg of args) {
    const option = OPTIONS[arg];
    if (!option) throw new ConfigError(`Unknown option ${arg}. Available options: ${Object.keys(OPTIONS).join(", ")}.`);
    result = { ...result, ...option(result) };
  }
  return result;
}
