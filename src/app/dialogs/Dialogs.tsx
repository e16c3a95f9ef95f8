import { lazy, Suspense, useEffect } from "react";
import { closeDialog, useOpenDialog } from "./dialog-store.ts";

const NewProjectDialog = lazy(async () => ({ default: (await import("./NewProjectDialog.tsx")).NewProjectDialog }));
const NewGroupDialog = lazy(async () => ({ default: (await import("./NewGroupDialog.tsx")).NewGroupDialog }));
const ShortcutsDialog = lazy(async () => ({ default: (await import("./ShortcutsDialog.tsx")).ShortcutsDialog }));
const SignOutDialog = lazy(async () => ({ default: (await import("../../parts/sign-out/SignOutDialog.tsx")).SignOutDialog }));
const Palette = lazy(async () => ({ default: (await import("../palette/Palette.tsx")).Palette }));

/** Renders the dialogs that the shell opens; each loads its own chunk on first use. */
export function Dialogs() {
  const open = useOpenDialog();
  // Close the dialog on sign-out, so that the next person who signs in does not see it.
  useEffect(() => closeDialog, []);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      {open.kind === "new-project" && <NewProjectDialog groupId={open.groupId} onClose={closeDialog} />}
      {open.kind === "new-group" && <NewGroupDialog onClose={closeDialog} />}
      {open.kind === "shortcuts" && <ShortcutsDialog onClose={closeDialog} />}
      {open.kind === "sign-out" && <SignOutDialog onClose={closeDialog} />}
      {open.kind === "palette" && <Palette onClose={closeDialog} />}
    </Suspense>
  );
}
