import { permissionsOf } from "./rights.ts";
import { useSession } from "./use-session.ts";

/** Returns what the signed-in user may do. */
export const usePermissions = () => permissionsOf(useSession().role);
