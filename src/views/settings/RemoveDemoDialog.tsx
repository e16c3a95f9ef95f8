import type { ReactNode } from "react";
import type { DemoContents } from "../../../contract/operations/demo.ts";
import { ConfirmAction } from "../../components/FormDialog.tsx";
import { t } from "../../lib/texts/organization.ts";

interface Props {
  contents: DemoContents;
  action: { isPending: boolean; error: unknown };
  onConfirm(): void;
  onClose(): void;
}

/** Lists what goes with the demo before it is removed. */
export function RemoveDemoDialog({ contents, action, onConfirm, onClose }: Props) {
  const { projects, groups, people, agents, metadata_templates, delivery_rules, files, messages, files_added_by_others, messages_added_by_others } = contents;
  const settings = [...metadata_templates.map((name) => t("template", { name })), ...(delivery_rules ? [t("deliveryRules")] : [])];
  const added = [
    ...(files_added_by_others > 0 ? [t("files", { count: files_added_by_others })] : []),
    ...(messages_added_by_others > 0 ? [t("messages", { count: messages_added_by_others })] : []),
  ];
  return (
    <ConfirmAction
      action={action}
      title={t("removeTitle")}
      description={
        <>
          <span className="block">{t("removeHelp")}</span>
          <span className="my-3 flex flex-col gap-2 text-text">
            <Line label={t("removeProjects")}>{projects.join(", ")}</Line>
            <Line label={t("removeContents")}>{t("removeFiles", { files: t("files", { count: files }), messages: t("messages", { count: messages }) })}</Line>
            <Line label={t("removeGroups")}>{groups.join(", ")}</Line>
            <Line label={t("removePeople")}>{people.join(", ")}</Line>
            <Line label={t("removeAgents")}>{agents.join(", ")}</Line>
            <Line label={t("removeSettings")}>{settings.join(", ")}</Line>
          </span>
          {added.length > 0 && <span className="mb-2 block font-medium text-text">{t("removeAdded", { added: added.join(", ") })}</span>}
          <span className="block">{t("removeKept")}</span>
        </>
      }
      confirmLabel={t("remove")}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}

/** A label with names; nothing without any. */
function Line({ label, children }: { label: string; children: ReactNode }) {
  if (children === "") return null;
  return (
    <span className="block">
      <span className="block text-sm text-text-3">{label}</span>
      {children}
    </span>
  );
}
