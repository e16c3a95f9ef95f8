import { SCOPES, type Scope } from "../../contract/define-operation.ts";
import { isAllowed } from "../../contract/policy.ts";
import type { Role } from "../../contract/records.ts";
import { t } from "../lib/texts/access.ts";

interface ScopeDescription {
  label: string;
  /** What the scope does not allow, or which other scope it needs; empty if there is nothing to say. */
  limit: string;
  /** How the role of the account limits the scope; empty if it does not. */
  roleLimit: string;
}

/** The scopes without which another one allows less, or which lift its limit. */
const LIMITS: Partial<Record<Scope, { liftedBy: Scope; limit: string }>> = {
  "chat:read": { liftedBy: "chat:write", limit: t("chatReadLimit") },
  "chat:write": { liftedBy: "chat:read", limit: t("chatWriteLimit") },
  "files:read": { liftedBy: "files:write", limit: t("filesReadLimit") },
  "files:write": { liftedBy: "files:read", limit: t("filesWriteLimit") },
  webhooks: { liftedBy: "files:read", limit: t("webhooksLimit") },
};
const LABELS: Record<Exclude<Scope, "admin">, string> = {
  "account:read": t("accountRead"),
  "chat:read": t("chatRead"),
  "chat:write": t("chatWrite"),
  "files:read": t("filesRead"),
  "files:write": t("filesWrite"),
  webhooks: t("webhooks"),
};
const ADMIN: Record<Role, ScopeDescription> = {
  owner: { label: t("adminOwner"), limit: t("adminLimit"), roleLimit: "" },
  admin: { label: t("adminAdmin"), limit: t("adminLimit"), roleLimit: "" },
  member: { label: t("adminMember"), limit: "", roleLimit: t("adminMemberLimit") },
  guest: { label: t("adminGuest"), limit: "", roleLimit: t("adminGuestLimit") },
};

const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

/** Describes what a scope allows together with the other `scopes` of a token whose account has this role. A scope that this client does not know is shown by its name. */
export function describeScope(name: string, scopes: readonly string[], role: Role): ScopeDescription {
  if (!isScope(name)) return { label: name, limit: "", roleLimit: "" };
  if (name === "admin") return ADMIN[role];
  const limit = LIMITS[name];
  return { label: LABELS[name], limit: limit && !scopes.includes(limit.liftedBy) ? limit.limit : "", roleLimit: roleLimitOf(name, role) };
}

function roleLimitOf(scope: Scope, role: Role): string {
  if (scope === "webhooks" && !isAllowed("webhook.manage", role)) return t("webhooksNoEffect");
  return scope === "files:write" && role === "guest" ? t("filesWriteGuest") : "";
}
