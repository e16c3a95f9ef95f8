import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/sign-in.ts";
import { Button, buttonClasses } from "../../ui/Button.tsx";
import { Logo } from "../../ui/Logo.tsx";
import { Tooltips } from "../../ui/Tooltips.tsx";

interface Props {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** Lays out the sign-in pages as one narrow column. */
export function AuthLayout({ title, lead, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A field with `autoFocus` keeps the focus.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <main className="flex h-full overflow-y-auto bg-bg">
      <title>{`${title} · ${tCommon("brand")}`}</title>
      <div className="m-auto w-full max-w-110 px-5 py-10">
        <div className="mb-6 flex items-center gap-3">
          <Logo large />
          <span className="text-lg font-semibold">{tCommon("brand")}</span>
        </div>
        <div className="rounded-lg border border-line bg-surface p-5 tablet:p-6">
          <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
            {title}
          </h1>
          {lead && <div className="mt-1 text-text-2">{lead}</div>}
          <div className="mt-5">{children}</div>
        </div>
      </div>
      <Tooltips />
    </main>
  );
}

/** Shows that what the page needs could not be loaded, and offers to try again. */
export const LoadFailure = ({ title, help, retry }: { title: string; help: string; retry(): void }) => (
  <AuthLayout title={title}>
    <p className="text-text-2">{help}</p>
    <Button size="lg" variant="primary" className="mt-5 w-full" onClick={retry}>
      {tCommon("retry")}
    </Button>
  </AuthLayout>
);

/** Explains that a link is unusable; `children` describes what to do instead. */
export const UnusableLink = ({ title, children }: { title: string; children: string }) => (
  <AuthLayout title={title}>
    <p className="text-text-2">{children}</p>
    <Link to="/sign-in" className={`${buttonClasses("secondary", "lg")} mt-5 w-full`}>
      {t("toSignIn")}
    </Link>
  </AuthLayout>
);

/**
 * Reads a one-time link's token from the URL fragment, removes it from the address bar at once, and stores it in the history entry so that it
 * survives a reload.
 */
export function useLinkToken(): string {
  const { hash, pathname, state } = useLocation();
  const navigate = useNavigate();
  const tokenFromHash = hash.slice(1);
  useEffect(() => {
    if (tokenFromHash) void navigate(pathname, { replace: true, state: { token: tokenFromHash } });
  }, [tokenFromHash, navigate, pathname]);
  return tokenFromHash || ((state as { token?: string } | null)?.token ?? "");
}
