import type { Role } from "../../../contract/records.ts";
import { t } from "../../lib/messages/people.ts";

export const roleName = (role: Role): string => t(role);
export const roleMeaning = (role: Role): string => t(`${role}Is`);
