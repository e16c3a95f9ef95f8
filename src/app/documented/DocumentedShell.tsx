import { useState } from "react";
import { Link, Outlet } from "react-router";
import { useClient } from "../../client/client.ts";
import { t } from "../../lib/texts/documented-shell.ts";
import { ANNOUNCER_ID } from "../../ui/announce.ts";
import { createToasts, ToastsContext } from "../../ui/toast.ts";

/** The frame around the views of a service that has only the operations of the service document. */
export function DocumentedShell() {
  const { api } = useClient();
  const [toasts] = useState(createToasts);
  return (
    <ToastsContext value={toasts}>
      <div className="group/shell flex h-full flex-col">
        <header className="flex h-14 shrink-0 items-center gap-4 border-b border-line px-4">
          <Link to="/" className="font-semibold">
            {new URL(api.serviceUrl()).host}
          </Link>
          <Link to="/settings/webhooks">{t("webhooks")}</Link>
        </header>
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 bg-surface">
          <Outlet />
        </main>
        <div id="hidden-media" hidden />
        <div id={ANNOUNCER_ID} role="status" aria-live="polite" className="sr-only" />
      </div>
    </ToastsContext>
  );
}
