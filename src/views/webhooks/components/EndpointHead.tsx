import { Ellipsis, FlaskConical, History, KeyRound, Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useState, type RefObject } from "react";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { nameOfUrl } from "../../../lib/url-name.ts";
import { explain } from "../../../queries/problems.ts";
import { useUpdateEndpoint } from "../../../queries/webhooks/use-endpoints.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { stateOf } from "../model/endpoint-state.ts";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { EditDialog } from "./EditDialog.tsx";
import { EndpointStateBadge } from "./EndpointStateBadge.tsx";
import { RecoverDialog } from "./RecoverDialog.tsx";
import { RotateDialog } from "./RotateDialog.tsx";
import { TestDialog } from "./TestDialog.tsx";

const DIALOGS = { edit: EditDialog, test: TestDialog, recover: RecoverDialog, rotate: RotateDialog, remove: DeleteDialog };
const ICON = { size: 16, "aria-hidden": true } as const;
/** On a phone the words alone, so that the buttons stay in one line. */
const ROOMY = "@max-[400px]/pane:hidden";

/** The endpoint's name and state, and everything that can be done with it. */
export function EndpointHead({ endpoint, heading }: { endpoint: WebhookEndpoint; heading: RefObject<HTMLHeadingElement | null> }) {
  const [asked, setAsked] = useState<keyof typeof DIALOGS | null>(null);
  const update = useUpdateEndpoint();
  const name = nameOfUrl(endpoint.url);
  const Asked = asked && DIALOGS[asked];
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
            {name}
          </h2>
          <EndpointStateBadge endpoint={endpoint} state={stateOf(endpoint)} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={() => setAsked("test")}>
            <FlaskConical {...ICON} className={ROOMY} />
            {t("sendTest")}
          </Button>
          <Button onClick={() => setAsked("recover")}>
            <History {...ICON} className={ROOMY} />
            {t("recover")}
          </Button>
          <Menu label={t("moreActions", { name })} trigger={<Ellipsis {...ICON} />} triggerClass={buttonClasses()} align="end">
            <MenuItem icon={<Pencil {...ICON} />} onSelect={() => setAsked("edit")}>
              {t("edit")}
            </MenuItem>
            <MenuItem icon={<KeyRound {...ICON} />} onSelect={() => setAsked("rotate")}>
              {t("rotate")}
            </MenuItem>
            <MenuItem
              icon={endpoint.enabled ? <Pause {...ICON} /> : <Play {...ICON} />}
              onSelect={() => update.mutate({ id: endpoint.id, enabled: !endpoint.enabled })}
            >
              {endpoint.enabled ? t("pause") : t("resume")}
            </MenuItem>
            <MenuItem danger icon={<Trash2 {...ICON} />} onSelect={() => setAsked("remove")}>
              {t("remove")}
            </MenuItem>
          </Menu>
        </div>
      </div>
      {update.error && <Notice title={explain(update.error).title}>{explain(update.error).help}</Notice>}
      {Asked && <Asked endpoint={endpoint} onClose={() => setAsked(null)} />}
    </header>
  );
}
