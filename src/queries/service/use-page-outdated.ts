import { useQuery } from "@tanstack/react-query";
import { fetchPage } from "../../api/page.ts";
import { entryIn } from "../../lib/chunk-fault.ts";

/** True as soon as it is certain that the service serves another build than the one that runs here. Looks only when `asked`. */
export function usePageOutdated(asked: boolean): boolean {
  const { data } = useQuery({
    queryKey: ["page-outdated"],
    queryFn: async () => {
      const served = entryIn(await fetchPage());
      const running = entryIn(document.documentElement.outerHTML);
      return served !== null && running !== null && served !== running;
    },
    enabled: asked,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return data ?? false;
}
