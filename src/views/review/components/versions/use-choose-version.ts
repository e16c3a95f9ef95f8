import { useLocation, useNavigate } from "react-router";

/** Opens another version on the same page and keeps the position, so that playback continues. */
export function useSelectVersion(newest: number | null): (version: number) => void {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  return (version) => {
    const query = new URLSearchParams(search);
    if (version === newest) query.delete("v");
    else query.set("v", String(version));
    const text = query.toString();
    void navigate(text ? `${pathname}?${text}` : pathname, { replace: true, state: { ...(state as object | null), keepPosition: true } });
  };
}
