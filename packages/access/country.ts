import { readFileSync } from 'node:fs';
import { type CountryResponse, Reader } from 'mmdb-lib';

const file = new URL(
  import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
);
/** Read when a rule first asks for a country: the file takes 8 MB. */
let reader: Reader<CountryResponse> | undefined;

/** The country that an address is registered in (ISO 3166-1 alpha-2); null: it is not known, as that of a private address. */
export function countryOf(address: string): string | null {
  reader ??= new Reader<CountryResponse>(readFileSync(file));
  const found = reader.get(address) as { readonly country_code?: unknown } | null;
  return typeof found?.country_code === 'string' ? found.country_code : null;
}
