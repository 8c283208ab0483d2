/** The receiver's catalogue for a response to `GET /api/v1/public/meters`. */
import {
  buildDeliveryCatalogue,
  type DeliveryCatalogue,
  describePublicMeterInFull,
} from '../../../src/model/public-meters';
import { parsePublicMeters } from '../../../src/protocol/public-api';

export function catalogueFrom(response: unknown): DeliveryCatalogue {
  return buildDeliveryCatalogue(parsePublicMeters(response).map(describePublicMeterInFull));
}
