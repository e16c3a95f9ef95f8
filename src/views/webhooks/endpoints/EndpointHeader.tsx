import { Ellipsis, FlaskConical, History, KeyRound, Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useState, type RefObject } from "react";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { formatUrl } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { useUpdateEndpoint } from "../../../queries/webhooks/use-webhooks.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { RecoverDialog } from "../deliveries/RecoverDialog.tsx";
import { EndpointStateBadge } from "../StateBadge.tsx";
import { getEndpointState } from "../states.ts";
import { DeleteEndpointDialog, RotateSecretDialog } from "./EndpointDialogs.tsx";
import { EditEndpointDialog } from "./EndpointForm.tsx";
import { SendTestDialog } from "./SendTestPanel.tsx";

const DIALOGS = { edit: EditEndpointDialog, test: SendTestDialog, recover: RecoverDialog, rotate: RotateSecretDialog, remove: DeleteEndpointDialog };
const ICON_PROPS = { size: 16, "aria-hidden": true } as const;
/** Hides the icons on a phone, so that the buttons fit on one line. */
const WIDE_ONLY_CLASS = "@max-[400px]/pane:hidden";

/** Renders an endpoint's name, state and actions. */
export function EndpointHeader({ endpoint, heading }: { endpoint: WebhookEndpoint; heading: RefObject<HTMLHeadingElement | null> }) {
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
