import type { Role } from "../../contract/records.ts";
import { t } from "../lib/texts/people.ts";

const ROLE_KEYS = {
  owner: ["owner", "ownerDescription"],
  admin: ["admin", "adminDescription"],
  member: ["member", "memberDescription"],
  guest: ["guest", "guestDescription"],
} as const;

export const roleName = (role: Role): string => t(ROLE_KEYS[role][0]);
export const roleDescription = (role: Role): string => t(ROLE_KEYS[role][1]);
