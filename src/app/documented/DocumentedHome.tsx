import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { t } from "../../lib/texts/documented-shell.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";

/** Opens a chat or a file by its id, since the service document lists neither. */
export function DocumentedHome() {
  return (
    <div className="mx-auto flex max-w-120 flex-col gap-8 p-5">
      <h1 tabIndex={-1} className="sr-only">
        {t("home")}
      </h1>
      <OpenById title={t("openChat")} label={t("projectId")} toPath={(id) => `/projects/${id}/chat`} />
      <OpenById title={t("openFile")} label={t("fileId")} toPath={(id) => `/files/${id}`} />
    </div>
  );
}

function OpenById({ title, label, toPath }: { title: string; label: string; toPath(id: string): string }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  function open(event: FormEvent) {
    event.preventDefault();
    const id = text.trim().replace(/^#/, "");
    if (/^[1-9]\d{0,14}$/.test(id)) void navigate(toPath(id));
    else setError(t("notAnId"));
  }
  return (
    <form onSubmit={open} noValidate className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <TextField label={label} value={text} onChange={setText} error={error} inputMode="numeric" autoComplete="off" />
      <Button type="submit" variant="primary" className="self-start">
        {t("open")}
      </Button>
    </form>
  );
}
