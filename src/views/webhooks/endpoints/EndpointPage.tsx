import { ChevronLeft, Ellipsis, FlaskConical, History, KeyRound, Pause, Pencil, Play, Trash2, Unplug } from "lucide-react";
import { useEffect, type RefObject, useRef, useState } from "react";
import { Link, useLocation, useParams } from "react-router";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { PageTitle } from "../../../components/PageTitle.tsx";
import { formatUrl } from "../../../lib/format.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useMembers } from "../../../queries/members.ts";
import { useEndpoints, useFormerCreator, useUpdateEndpoint } from "../../../queries/webhooks/use-webhooks.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { isModalOpen } from "../../../ui/use-document-keydown.ts";
import { DeliveryLog } from "../deliveries/DeliveryLog.tsx";
import { RecoverDialog } from "../deliveries/RecoverDialog.tsx";
import { formatShortDateTime, getEndpointState } from "../states.ts";
import { EndpointStateBadge } from "../StateBadge.tsx";
import { DeleteEndpointDialog, RotateSecretDialog } from "./EndpointDialogs.tsx";
import { EditEndpointDialog } from "./EndpointForm.tsx";
import { EndpointSettings } from "./EndpointSettings.tsx";
import { SendTestDialog } from "./SendTestPanel.tsx";

/** Renders an endpoint with its delivery log; `deliveryId` in the URL opens a delivery in the log. */
export function EndpointPage() {
  const { endpointId, deliveryId } = useParams();
  const endpoint = useEndpoints().data?.find(({ id }) => id === Number(endpointId));
  const heading = useFocusOnEndpointChange(endpointId);
  if (!endpoint) {
    return (
      <div className="p-4">
        <BackLink />
        <EmptyState icon={<Unplug size={22} aria-hidden />} title={t("missingEndpoint")}>
          {t("missingEndpointHelp")}
        </EmptyState>
      </div>
    );
  }
  return (
    <article aria-label={formatUrl(endpoint.url)} className="flex flex-col gap-4 p-4 @min-[640px]/pane:p-5">
      <PageTitle text={`${formatUrl(endpoint.url)} · ${t("title")} · ${tCommon("brand")}`} />
      <BackLink />
      <EndpointHeader key={`header-${endpoint.id}`} endpoint={endpoint} heading={heading} />
      <EndpointNotice key={`notice-${endpoint.id}`} endpoint={endpoint} />
      <EndpointSettings endpoint={endpoint} />
      <DeliveryLog key={endpoint.id} endpoint={endpoint} openId={deliveryId === undefined ? null : Number(deliveryId)} />
    </article>
  );
}

const DIALOGS = { edit: EditEndpointDialog, test: SendTestDialog, recover: RecoverDialog, rotate: RotateSecretDialog, remove: DeleteEndpointDialog };
const ICON_PROPS = { size: 16, "aria-hidden": true } as const;
/** Hides the icons on a phone, so that the buttons fit on one line. */
const WIDE_ONLY_CLASS = "@max-[400px]/pane:hidden";

/** Renders an endpoint's name, state and actions. */
function EndpointHeader({ endpoint, heading }: { endpoint: WebhookEndpoint; heading: RefObject<HTMLHeadingElement | null> }) {
  const [activeDialog, setActiveDialog] = useState<keyof typeof DIALOGS | null>(null);
  const update = useUpdateEndpoint();
  const name = formatUrl(endpoint.url);
  const ActiveDialog = activeDialog && DIALOGS[activeDialog];
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
            {name}
          </h2>
          <EndpointStateBadge endpoint={endpoint} state={getEndpointState(endpoint)} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={() => setActiveDialog("test")}>
            <FlaskConical {...ICON_PROPS} className={WIDE_ONLY_CLASS} />
            {t("sendTest")}
          </Button>
          <Button onClick={() => setActiveDialog("recover")}>
            <History {...ICON_PROPS} className={WIDE_ONLY_CLASS} />
            {t("recover")}
          </Button>
          <Menu label={t("moreActions", { name })} trigger={<Ellipsis {...ICON_PROPS} />} triggerClassName={buttonClasses()} align="end">
            <MenuItem icon={<Pencil {...ICON_PROPS} />} onSelect={() => setActiveDialog("edit")}>
              {t("edit")}
            </MenuItem>
            <MenuItem icon={<KeyRound {...ICON_PROPS} />} onSelect={() => setActiveDialog("rotate")}>
              {t("rotate")}
            </MenuItem>
            <MenuItem
              icon={endpoint.enabled ? <Pause {...ICON_PROPS} /> : <Play {...ICON_PROPS} />}
              onSelect={() => update.mutate({ id: endpoint.id, enabled: !endpoint.enabled })}
            >
              {endpoint.enabled ? t("pause") : t("resume")}
            </MenuItem>
            <MenuItem danger icon={<Trash2 {...ICON_PROPS} />} onSelect={() => setActiveDialog("remove")}>
              {t("remove")}
            </MenuItem>
          </Menu>
        </div>
      </div>
      <ErrorNotice error={update.error} />
      {ActiveDialog && <ActiveDialog endpoint={endpoint} onClose={() => setActiveDialog(null)} />}
    </header>
  );
}

/** Focuses the heading when another endpoint opens, but not the one the page was loaded with. */
function useFocusOnEndpointChange(endpointId: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isInitialLoad = useLocation().key === "default";
  const focusedId = useRef(isInitialLoad ? endpointId : undefined);
  useEffect(() => {
    if (focusedId.current === endpointId) return;
    focusedId.current = endpointId;
    if (!isModalOpen()) heading.current?.focus({ preventScroll: true });
  }, [endpointId]);
  return heading;
}

/** Warns of a creator who lost access, explains why nothing is sent, and offers to recover held deliveries. */
function EndpointNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isRecovering, setIsRecovering] = useState(false);
  const formerCreator = useFormerCreator(endpoint);
  return (
    <>
      {formerCreator !== null && (
        <Notice tone="info" title={t("formerCreator", { name: formerCreator })}>
          {t("formerCreatorHelp")}
        </Notice>
      )}
      {(!endpoint.enabled || endpoint.held_count > 0) && <StatusNotice endpoint={endpoint} onRecover={() => setIsRecovering(true)} />}
      {/* Rendered separately, because the dialog still shows its result when nothing is held anymore. */}
      {isRecovering && <RecoverDialog endpoint={endpoint} onClose={() => setIsRecovering(false)} />}
    </>
  );
}

function StatusNotice({ endpoint, onRecover }: { endpoint: WebhookEndpoint; onRecover(): void }) {
  const pausedBy = useMembers().data?.find(({ id }) => id === endpoint.disabled_by_account_id)?.username;
  const update = useUpdateEndpoint();
  const state = getEndpointState(endpoint);
  const heldCount = endpoint.held_count;
  const when = formatShortDateTime(endpoint.disabled_at ?? endpoint.created_at);
  const [title, help] =
    state === "disabledGone"
      ? [t("disabledGoneTitle", { when }), t("disabledGoneHelp")]
      : state === "disabledFailing"
        ? [t("disabledFailingTitle", { when }), t("disabledFailingHelp")]
        : state === "pausedToken"
          ? [t("pausedTokenTitle", { when }), t("pausedTokenHelp")]
          : state === "paused"
            ? [pausedBy ? t("pausedByTitle", { name: pausedBy }) : t("pausedTitle"), t("pausedHelp")]
            : [t("resumedHeld", { count: heldCount }), null];
  return (
    <Notice tone={["disabledGone", "disabledFailing", "pausedToken"].includes(state) ? "danger" : "info"} title={title}>
      {help && <p>{help}</p>}
      {!endpoint.enabled && heldCount > 0 && <p className="tabular">{t("heldEvents", { count: heldCount })}.</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        {!endpoint.enabled && (
          <Button icon={Play} size="sm" pending={update.isPending} onClick={() => update.mutate({ id: endpoint.id, enabled: true })}>
            {t("resume")}
          </Button>
        )}
        {endpoint.enabled && (
          <Button icon={History} size="sm" onClick={onRecover}>
            {t("sendHeld")}
          </Button>
        )}
      </div>
      {update.error && <p className="mt-2 text-danger">{describeError(update.error).title}</p>}
    </Notice>
  );
}

/** Links to the endpoint list where the list is not visible beside the endpoint. */
function BackLink() {
  return (
    <Link
      to="/settings/webhooks"
      className="-mb-2 inline-flex min-h-8 items-center gap-1 self-start rounded-md pr-2 text-text-2 hover:text-text @min-[880px]/webhooks:hidden"
    >
      <ChevronLeft size={18} aria-hidden />
      {t("backToEndpoints")}
    </Link>
  );
}
