export { viewDrafts } from './draft-views.ts';
export { factsOf, readPrint } from './facts.ts';
export {
  attachImage,
  cleanUpImages,
  codeOnImage,
  codeToAttach,
  discardImages,
  discardImagesOf,
  discardUploads,
  imageOfCoupon,
  isMoreThanItsText,
  keepUploads,
  listKeptImages,
  openKept,
  openUpload,
  removeUnlessKept,
  resealFile,
  storeImage,
  symbolOfCoupon,
} from './images.ts';
export { imageCodesContext, imageIdOf, imageUrl } from './view.ts';
