import { lazy, Suspense, useEffect } from "react";
import { closeDialog, useOpenDialog } from "./dialog-store.ts";

const NewProjectDialog = lazy(async () => ({ default: (await import("./NewProjectDialog.tsx")).NewProjectDialog }));
const NewGroupDialog = lazy(async () => ({ default: (await import("./NewGroupDialog.tsx")).NewGroupDialog }));
const ShortcutsDialog = lazy(async () => ({ default: (await import("./ShortcutsDialog.tsx")).ShortcutsDialog }));
const SignOutDialog = lazy(async () => ({ default: (await import("../../parts/sign-out/SignOutDialog.tsx")).SignOutDialog }));
const Palette = lazy(async () => ({ default: (await import("../palette/Palette.tsx")).Palette }));

/** The dialogs that the shell opens; each comes in its own chunk when it is first needed. */
export function Dialogs() {
  const open = useOpenDialog();
  // Whoever signs in next does not find the dialog of who has left.
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
