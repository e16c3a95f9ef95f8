/** Changes notification settings, and shows why a change was not saved. */
import { t } from "../../../lib/texts/notifications.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { useUpdateNotificationSettings, useUpdateProjectNotificationSettings } from "../../../queries/notifications/use-settings.ts";
import { useToasts } from "../../../ui/toast.ts";

function useShowError(): (error: unknown) => void {
  const toasts = useToasts();
  return (error) => toasts.showError(t("settingsNotSaved", { reason: formatErrorReason(error) }));
}

export const useChangeSettings = () => useUpdateNotificationSettings(useShowError()).mutate;

export const useChangeProjectSettings = () => useUpdateProjectNotificationSettings(useShowError()).mutate;
