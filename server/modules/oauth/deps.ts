import type { AccessDeps } from "../accounts/issued-access.ts";
import type { AccountServices } from "../accounts/services.ts";

export type OAuthDeps = AccessDeps & { authentication: AccountServices["authentication"] };
