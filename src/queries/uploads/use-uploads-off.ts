import { t } from "../../lib/messages/uploads.ts";
import { isInaccessible } from "../problems.ts";
import { useService } from "../service/use-service.ts";
import { usePermissions } from "../session/use-rights.ts";

/** Returns why files cannot be uploaded here, as text; null when they can, or while that is unknown. */
export function useUploadDisabledReason(): string | null {
  const { canUploadFiles } = usePermissions();
  const { data, error } = useService();
  if (!canUploadFiles) return t("roleCannotUpload");
  // A service that offers only the documented operations does not report its features.
  return data?.features.includes("files") === false || (error && isInaccessible(error)) ? t("uploadsUnavailable") : null;
}
