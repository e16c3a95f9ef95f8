import { Link } from "react-router";
import { t } from "../../../lib/messages/sign-in.ts";
import { buttonClasses } from "../../../ui/Button.tsx";

/** Explains that a link is unusable; `children` describes what to do instead. */
export function DeadEnd({ children }: { children: string }) {
  return (
    <>
      <p className="text-text-2">{children}</p>
      <Link to="/sign-in" className={`${buttonClasses("secondary", "lg")} mt-5 w-full`}>
        {t("toSignIn")}
      </Link>
    </>
  );
}
