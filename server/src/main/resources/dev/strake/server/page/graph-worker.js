// Places many documents beside the page, so that it goes on answering.

import {layout} from './layout.js';

self.addEventListener('message', event => self.postMessage({number: event.data.number, placed: layout(event.data.what)}));
