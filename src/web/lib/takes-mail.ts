/** Whether people can forward vouchers by email, as the server says in the page's head. */
export function takesMail(): boolean {
  return document.querySelector('meta[name="inbound-mail"]') !== null;
}
