/* Tells the server where the browser believes it is, so that times are shown as on its clock. */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (zone && /^[A-Za-z0-9_+/-]{1,64}$/.test(zone)) {
  const secure = location.protocol === "https:";
  const name = secure ? "__Host-time_zone" : "time_zone";
  const year = 365 * 24 * 3600;
  document.cookie = `${name}=${zone}; Path=/; Max-Age=${year}; SameSite=Lax${secure ? "; Secure" : ""}`;
}
