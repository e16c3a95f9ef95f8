/** Accounts, sessions, API tokens and the members of an organization. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { registerAccountRoutes } from "./routes.ts";
import { createAccountServices, type AccountServices, type AccountsOptions } from "./services.ts";

export function createAccountsModule(deps: ModuleDeps, options: AccountsOptions): ServiceModule<AccountServices> {
  const services = createAccountServices(deps, options);
  return {
    services,
    features: ["members", "sessions", "api-tokens", "audit-log", "live"],
    register({ route, cookie, serviceInfo }) {
      registerAccountRoutes(route, services, cookie, serviceInfo);
      return {};
    },
  };
}
