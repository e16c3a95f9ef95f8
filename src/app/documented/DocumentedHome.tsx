import { File, MessageSquare, Moon, Sun } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useClient } from "../../client/client.ts";
import { parseId } from "../../components/ReadOnly.tsx";
import { useStore } from "../../lib/store.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/documented-shell.ts";
import { t as tShell } from "../../lib/texts/shell.ts";
import { useRecents } from "../../sync/device-records.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { CloseButton, IconButton } from "../../ui/IconButton.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";
import { NotFoundPane } from "../NotFound.tsx";
import { recentName, recentPath } from "./recents.ts";

/** Opens a chat or a file by its id, since the service document lists neither. */
export function DocumentedHome() {
  const { api, theme } = useClient();
  const isDark = useStore(theme.applied) === "dark";
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = useFocusAfterRemoval(heading);
  return (
    <div className="h-full overflow-y-auto">
      <title>{`${t("homeTitle")} · ${tCommon("brand")}`}</title>
      <div className="mx-auto flex max-w-160 flex-col gap-6 px-4 py-6 tablet:px-6 tablet:py-10">
        <header className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
              {t("homeTitle")}
            </h1>
            <p className="mt-1 text-text-2 wrap-anywhere">{t("homeLead", { host: new URL(api.serviceUrl()).host })}</p>
          </div>
          <IconButton label={isDark ? tShell("toLight") : tShell("toDark")} icon={isDark ? Sun : Moon} className="tablet:hidden" onClick={theme.toggle} />
        </header>
        <div className="grid gap-4 tablet:grid-cols-2">
          <OpenById
            icon={<MessageSquare size={18} aria-hidden />}
            title={t("openChat")}
            label={t("projectId")}
            toPath={(id) => recentPath({ kind: "chat", id, name: null })}
          />
          <OpenById
            icon={<File size={18} aria-hidden />}
            title={t("openFile")}
            label={t("fileId")}
            toPath={(id) => recentPath({ kind: "file", id, name: null })}
          />
        </div>
        <Recents onForgotten={focusHeading} />
      </div>
    </div>
  );
}

/** Shown for an unknown path; leads to the start page, because there are no projects to go to. */
export const DocumentedNotFound = () => <NotFoundPane title={tShell("notFoundTitle")} help={t("notFoundHelp")} action={t("homeTitle")} />;

function OpenById({ icon, title, label, toPath }: { icon: ReactNode; title: string; label: string; toPath(id: number): string }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  function open(event: FormEvent) {
    event.preventDefault();
    const digits = text.trim().replace(/^#/, "");
    const id = /^\d+$/.test(digits) ? parseId(digits) : null;
    if (id !== null) return void navigate(toPath(id));
    setError(t("notAnId"));
    form.current?.querySelector("input")?.focus();
  }
  return (
    <form ref={form} onSubmit={open} noValidate className="flex flex-col gap-3 rounded-lg border border-line bg-bg p-4">
      <h2 className="flex items-center gap-2 font-semibold">
        <span className="text-text-2">{icon}</span>
        {title}
      </h2>
      <div className="flex items-start gap-2">
        <TextField
          label={label}
          value={text}
          onChange={(value) => {
            setText(value);
            setError(undefined);
          }}
          error={error}
          inputMode="numeric"
          autoComplete="off"
          className="min-w-0 flex-1"
        />
        <div className="flex flex-col gap-1.5">
          {/* As high as the label, so that the button is level with the field. */}
          <span aria-hidden className="text-sm">
            {"\u00a0"}
          </span>
          <Button type="submit" aria-label={title} className="h-9">
            {t("open")}
          </Button>
        </div>
      </div>
    </form>
  );
}

function Recents({ onForgotten }: { onForgotten(): void }) {
  const { deviceRecords } = useClient();
  const recents = useRecents();
  if (recents.length === 0) return null;
  return (
    <section aria-labelledby="recents">
      <h2 id="recents" className="font-semibold">
        {t("recents")}
      </h2>
      <ul className="mt-2 divide-y divide-line rounded-lg border border-line">
        {recents.map((recent) => (
          <li key={recentPath(recent)} className="flex items-center pr-2">
            <Link to={recentPath(recent)} className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-md px-3 hover:bg-hover">
              <span className="text-text-2">{recent.kind === "chat" ? <MessageSquare size={16} aria-hidden /> : <File size={16} aria-hidden />}</span>
              <span className="min-w-0 truncate">{recentName(recent)}</span>
              {recent.name !== null && <span className="tabular ml-auto shrink-0 text-sm text-text-3">{recent.id}</span>}
            </Link>
            <CloseButton
              label={t("forget", { name: recentName(recent) })}
              onClick={() => {
                onForgotten();
                deviceRecords.get().forgetRecent(recent);
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
