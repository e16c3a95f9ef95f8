import { Upload, UserPlus } from "lucide-react";
import { Link } from "react-router";
import { useFilePicker } from "../../components/uploads/FilePicker.tsx";
import { t } from "../../lib/texts/chat.ts";
import { useCan } from "../../queries/permissions.ts";
import { Button, buttonClasses } from "../../ui/Button.tsx";
import { PHONE, useMediaQuery } from "../../ui/responsive.ts";
import type { useChatFiles } from "./composer/use-chat-files.tsx";

/** The next steps in a chat without messages: people and a file. */
export function EmptyChatActions({ projectId, files }: { projectId: number; files: Pick<ReturnType<typeof useChatFiles>, "add" | "disabledReason"> }) {
  const canAddPeople = useCan("project.member.add");
  const isPhone = useMediaQuery(PHONE);
  const picker = useFilePicker({ multiple: true, onFiles: (chosen) => files.add(chosen) });
  return (
    <>
      {canAddPeople && (
        <Link to={`/projects/${projectId}/members?add`} className={buttonClasses()}>
          <UserPlus size={16} aria-hidden />
          {t("addPeople")}
        </Link>
      )}
      {files.disabledReason === null && (
        <Button icon={Upload} onClick={picker.open}>
          {t(isPhone ? "chooseFile" : "addFile")}
        </Button>
      )}
      {picker.input}
    </>
  );
}
