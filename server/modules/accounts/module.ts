/** Accounts, sessions, API tokens and the members of an organization. */
import type { ServiceModule } from "../../http/module.ts";
import type { AvatarDeps } from "./avatars.ts";
import { registerProfileRoutes } from "./profile-routes.ts";
import { registerAccountRoutes } from "./routes.ts";
import { createAccountServices, type AccountServices, type AccountsOptions } from "./services.ts";

export function createAccountsModule(deps: AvatarDeps, options: AccountsOptions): ServiceModule<AccountServices> {
  const services = createAccountServices(deps, options);
  return {
    services,
    features: ["members", "sessions", "api-tokens", "audit-log", "live", "accounts"],
    register({ route, cookie, serviceInfo }) {
      registerAccountRoutes(route, services, { cookie, publicUrl: deps.publicUrl }, serviceInfo);
      registerProfileRoutes(route, services, deps);
      return { "delete replaced pictures": services.avatars.purgeReplaced };
    },
  };
}
