import { SCOPES, type Scope } from "../../contract/define-operation.ts";
import { isAllowed } from "../../contract/policy.ts";
import type { Role } from "../../contract/records.ts";
import { t } from "../lib/texts/access.ts";

export interface ScopeDescription {
  label: string;
  /** What the scope does not allow, or which other scope it needs; empty if there is nothing to say. */
  limit: string;
  /** How the role of the account limits the scope; empty if it does not. */
  roleLimit: string;
  /** False if the role makes the scope useless. */
  hasEffect: boolean;
}

/** The scopes without which another one allows less, or which lift its limit. */
const LIMITS: Partial<Record<Scope, { liftedBy: Scope; limit: string }>> = {
  "account:write": { liftedBy: "account:read", limit: t("accountWriteLimit") },
  "chat:read": { liftedBy: "chat:write", limit: t("chatReadLimit") },
  "chat:write": { liftedBy: "chat:read", limit: t("chatWriteLimit") },
  "files:read": { liftedBy: "files:write", limit: t("filesReadLimit") },
  "files:write": { liftedBy: "files:read", limit: t("filesWriteLimit") },
  webhooks: { liftedBy: "files:read", limit: t("webhooksLimit") },
};
const LABELS: Record<Exclude<Scope, "admin">, string> = {
  "account:read": t("accountRead"),
  "account:write": t("accountWrite"),
  "chat:read": t("chatRead"),
  "chat:write": t("chatWrite"),
  "files:read": t("filesRead"),
  "files:write": t("filesWrite"),
  webhooks: t("webhooks"),
};
const ADMIN: Record<Role, ScopeDescription> = {
  owner: { label: t("adminOwner"), limit: t("adminLimit"), roleLimit: "", hasEffect: true },
  admin: { label: t("adminAdmin"), limit: t("adminLimit"), roleLimit: "", hasEffect: true },
  member: { label: t("adminMember"), limit: "", roleLimit: t("adminMemberLimit"), hasEffect: true },
  guest: { label: t("adminGuest"), limit: "", roleLimit: t("adminGuestLimit"), hasEffect: true },
};

const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

/** Describes what a scope allows together with the other `scopes` of a token whose account has this role. A scope that this client does not know is shown by its name. */
export function describeScope(name: string, scopes: readonly string[], role: Role): ScopeDescription {
  if (!isScope(name)) return { label: name, limit: "", roleLimit: "", hasEffect: true };
  if (name === "admin") return ADMIN[role];
  const missing = LIMITS[name];
  const limit = missing && !scopes.includes(missing.liftedBy) ? missing.limit : "";
  if (name === "webhooks" && !isAllowed("webhook.manage", role)) return { label: LABELS[name], limit, roleLimit: t("webhooksNoEffect"), hasEffect: false };
  return { label: LABELS[name], limit, roleLimit: name === "files:write" && role === "guest" ? t("filesWriteGuest") : "", hasEffect: true };
}
