import { Children, type ReactNode, useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { updateOrganisation } from "../../../contract/operations/accounts.ts";
import { useClient } from "../../client/client.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/settings.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useCan } from "../../queries/permissions.ts";
import { TabLink } from "../../ui/TabLink.tsx";

/** Renders the header and navigation of the settings pages. */
export function SettingsView() {
  const offersOrganization = useClient().api.offers(updateOrganisation);
  const canSetStatuses = useCan("file.status");
  const canManageWebhooks = useCan("webhook.manage");
  const hasMetadata = useHasFeature("metadata");
  const hasDeliveryRules = useHasFeature("delivery-rules");
  const hasAgents = useHasFeature("agents");
  const canRestoreProjects = useCan("project.list_deleted");
  const canEditOrganization = useCan("organisation.edit") && offersOrganization;
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
      <header className="shrink-0 border-b border-line">
        <h1 tabIndex={-1} className="px-4 pt-3 text-lg font-semibold tablet:px-5">
          {t("settings")}
        </h1>
        <nav ref={tabs} aria-label={t("settings")}>
          <TabGroup label={t("you")}>
            <TabLink to="/settings/profile">{t("profile")}</TabLink>
            {hasNotifications && <TabLink to="/settings/notifications">{t("notifications")}</TabLink>}
            {hasApps && <TabLink to="/settings/apps">{t("apps")}</TabLink>}
            {hasTokens && <TabLink to="/settings/tokens">{t("tokens")}</TabLink>}
            {hasSessions && <TabLink to="/settings/sessions">{t("sessions")}</TabLink>}
          </TabGroup>
          <TabGroup label={t("organization")}>
            {canEditOrganization && <TabLink to="/settings/organization">{t("general")}</TabLink>}
            {hasMembers && <TabLink to="/settings/members">{t("members")}</TabLink>}
            {canSetStatuses && <TabLink to="/settings/statuses">{t("statuses")}</TabLink>}
            {hasMetadata && <TabLink to="/settings/metadata">{t("metadata")}</TabLink>}
            {hasDeliveryRules && <TabLink to="/settings/delivery-rules">{t("deliveryRules")}</TabLink>}
            {hasAgents && <TabLink to="/settings/agents">{t("agents")}</TabLink>}
            {canManageWebhooks && <TabLink to="/settings/webhooks">{t("webhooks")}</TabLink>}
            {canReadAudit && <TabLink to="/settings/audit">{t("audit")}</TabLink>}
            {canRestoreProjects && <TabLink to="/settings/deleted">{t("deleted")}</TabLink>}
          </TabGroup>
        </nav>
      </header>
      <div className="min-h-0 flex-1">
        <Outlet />
      </div>
    </div>
  );
}

/** Tabs under a label, which is absent without tabs. Not all fit on a phone, so they scroll beside the label. */
function TabGroup({ label, children }: { label: string; children: ReactNode }) {
  if (Children.toArray(children).length === 0) return null;
  return (
    <div role="group" aria-label={label} className="flex h-10 items-stretch border-t border-line first:border-t-0">
      <span aria-hidden className="flex w-27 shrink-0 items-center pl-4 text-sm text-text-3 tablet:w-31 tablet:pl-5">
        {label}
      </span>
      <div className="flex min-w-0 flex-1 overflow-x-auto overflow-y-hidden [scrollbar-width:none]">{children}</div>
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
