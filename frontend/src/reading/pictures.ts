/** Which pictures may be fetched: those of this server, and those of hosts that the user has allowed. The
 * page is told the hosts with its document, since the policy of the document must name them too. */

const meta = document.querySelector<HTMLMetaElement>('meta[name="picture-hosts"]');
const HOSTS: ReadonlySet<string> = new Set((meta?.content ?? "").split(" ").filter(Boolean));

/** Whether the address is a picture of this server or of an allowed host. */
export function pictureAllowed(address: string): boolean {
  if (/^\/api\/cards\/[\w-]+\/(?:image|assets\/\d+)(\?|$)/.test(address)) return true;
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && HOSTS.has(hostname);
}
