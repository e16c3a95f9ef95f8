import { AppWindow } from "lucide-react";
import { useRef, useState } from "react";
import type { OAuthGrant } from "../../../contract/oauth-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { ConfirmAction } from "../../components/FormDialog.tsx";
import { ListSection, ListState, RowIcon } from "../../components/ListSection.tsx";
import { describeScope } from "../../components/scope-labels.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatRelativeTime, formatShortDay } from "../../lib/time.ts";
import { useGrants, useRevokeGrant } from "../../queries/connected-apps.ts";
import { useSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";

/** Lists the apps that the user has connected by the consent page. */
export function AppsPage() {
  const grants = useGrants();
  const [grantToRevoke, setGrantToRevoke] = useState<OAuthGrant | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = useFocusAfterRemoval(heading);
  return (
    <>
      <ListSection title={t("apps")} lead={t("appsLead")} headingRef={heading}>
        <ListState query={grants} rows={2} />
        {grants.data?.length === 0 && (
          <EmptyState icon={<AppWindow size={22} aria-hidden />} title={t("appsEmpty")}>
            {t("appsEmptyHelp")}
          </EmptyState>
        )}
        <ul>
          {grants.data?.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onRevoke={() => setGrantToRevoke(grant)} />
          ))}
        </ul>
      </ListSection>
      {grantToRevoke && <DisconnectDialog grant={grantToRevoke} onDisconnected={focusHeading} onClose={() => setGrantToRevoke(null)} />}
    </>
  );
}

function GrantRow({ grant, onRevoke }: { grant: OAuthGrant; onRevoke(): void }) {
  const now = useServiceTime();
  const { role } = useSession();
  const { client_name: name, redirect_hosts, scopes, created_at, last_used_at, expires_at } = grant;
  return (
    <li className="-mx-4 flex flex-wrap items-start gap-3 border-b border-line px-4 py-3 last:border-0">
      <RowIcon>
        <AppWindow size={16} aria-hidden />
      </RowIcon>
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm [overflow-wrap:anywhere] text-text-3">
          <bdi>{redirect_hosts.join(", ")}</bdi>
        </p>
        <ul aria-label={t("appCan", { name })} className="my-1.5 list-disc pl-4 text-sm text-text-2 marker:text-text-3">
          {scopes.map((scope) => (
            <li key={scope}>{describeScope(scope, scopes, role).label}</li>
          ))}
        </ul>
        <p className="text-sm text-text-3">
          {t("appConnected", { day: formatShortDay(created_at, now) })} ·{" "}
          {last_used_at ? t("tokenUsed", { when: formatRelativeTime(last_used_at, now) }) : t("tokenUnused")} ·{" "}
          {t("appExpires", { when: formatShortDay(expires_at, now) })}
        </p>
      </div>
      <Button size="sm" variant="danger" className="ml-11 tablet:ml-0" aria-label={t("appDisconnectLabel", { name })} onClick={onRevoke}>
        {t("appDisconnect")}
      </Button>
    </li>
  );
}

function DisconnectDialog({ grant, onDisconnected, onClose }: { grant: OAuthGrant; onDisconnected(): void; onClose(): void }) {
  const revoke = useRevokeGrant();
  return (
    <ConfirmAction
      action={revoke}
      title={t("appDisconnectTitle", { name: grant.client_name })}
      description={t("appDisconnectHelp")}
      confirmLabel={t("appDisconnect")}
      onConfirm={() =>
        revoke.mutate(grant.id, {
          onSuccess: () => {
            onDisconnected();
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
