import { useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { PageTitle } from "../../components/PageTitle.tsx";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/settings.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useCan } from "../../queries/permissions.ts";
import { TabLink } from "../../ui/TabLink.tsx";

/** Renders the header and navigation of the settings pages. */
export function SettingsView() {
  const canSetStatuses = useCan("file.status");
  const canManageWebhooks = useCan("webhook.manage");
  const hasMetadata = useHasFeature("metadata");
  const hasDeliveryRules = useHasFeature("delivery-rules");
  const hasAgents = useHasFeature("agents");
  const canRestoreProjects = useCan("project.list_deleted");
  const canReadAudit = useCan("audit.read");
  const hasNotifications = useHasFeature("notifications");
  const hasMembers = useHasFeature("members");
  const hasApps = useHasFeature("oauth");
  const hasTokens = useHasFeature("api-tokens");
  const hasSessions = useHasFeature("sessions");
  const tabs = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    // Not all tabs fit on a phone.
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [pathname]);
  return (
    <div className="flex h-full flex-col">
      <PageTitle text={`${t("settings")} · ${tCommon("brand")}`} />
      <header className="flex shrink-0 flex-col border-b border-line tablet:h-14 tablet:flex-row tablet:pl-5">
        <h1 tabIndex={-1} className="px-4 pt-3 text-lg font-semibold tablet:my-auto tablet:mr-3 tablet:p-0">
          {t("settings")}
        </h1>
        <nav ref={tabs} aria-label={t("settings")} className="flex h-11 overflow-x-auto overflow-y-hidden px-1 [scrollbar-width:none] tablet:h-auto tablet:p-0">
          <TabLink to="/settings/profile">{t("profile")}</TabLink>
          {hasNotifications && <TabLink to="/settings/notifications">{t("notifications")}</TabLink>}
          {hasMembers && <TabLink to="/settings/members">{t("members")}</TabLink>}
          {canSetStatuses && <TabLink to="/settings/statuses">{t("statuses")}</TabLink>}
          {hasMetadata && <TabLink to="/settings/metadata">{t("metadata")}</TabLink>}
          {hasDeliveryRules && <TabLink to="/settings/delivery-rules">{t("deliveryRules")}</TabLink>}
          {hasAgents && <TabLink to="/settings/agents">{t("agents")}</TabLink>}
          {canManageWebhooks && <TabLink to="/settings/webhooks">{t("webhooks")}</TabLink>}
          {canReadAudit && <TabLink to="/settings/audit">{t("audit")}</TabLink>}
          {canRestoreProjects && <TabLink to="/settings/deleted">{t("deleted")}</TabLink>}
          {hasApps && <TabLink to="/settings/apps">{t("apps")}</TabLink>}
          {hasTokens && <TabLink to="/settings/tokens">{t("tokens")}</TabLink>}
          {hasSessions && <TabLink to="/settings/sessions">{t("sessions")}</TabLink>}
        </nav>
      </header>
      <div className="min-h-0 flex-1">
        <Outlet />
      </div>
    </div>
  );
}

/** Lays out the settings pages that are a single column. */
export function SettingsColumn() {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6 tablet:py-8">
        <Outlet />
      </div>
    </div>
  );
}
