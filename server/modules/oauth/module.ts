/** OAuth 2.0 authorization server: clients that register themselves, consent, tokens, and the apps that people have connected. */
import type { ServiceModule } from "../../http/module.ts";
import type { OAuthDeps } from "./deps.ts";
import { registerOAuthRoutes } from "./routes.ts";
import { createOAuthServices, type OAuthServices } from "./services.ts";

export function createOAuthModule(deps: OAuthDeps): ServiceModule<OAuthServices> {
  const services = createOAuthServices(deps);
  return {
    services,
    features: ["oauth"],
    register(context) {
      registerOAuthRoutes(context, services, deps);
      return { "delete old OAuth records": () => services.grants.prune() };
    },
  };
}
