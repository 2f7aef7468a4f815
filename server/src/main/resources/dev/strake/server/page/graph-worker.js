// Lays out large graphs in a worker, so that the page stays responsive.

import {layout} from './layout.js';

self.addEventListener('message', event => self.postMessage({number: event.data.number, placed: layout(event.data.what)}));
