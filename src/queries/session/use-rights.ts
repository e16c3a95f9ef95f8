import { permissionsOf } from "./rights.ts";
import { useSession } from "./use-session.ts";

/** What the person who is signed in may do. */
export const usePermissions = () => permissionsOf(useSession().role);
